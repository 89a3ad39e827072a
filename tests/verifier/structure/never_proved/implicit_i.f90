subroutine s(x,y)
real*8 x,y
it=x
y=it
end
! port
subroutine s(x,y)
real*8 x,y
y=x
end
