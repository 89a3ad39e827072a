subroutine s(x,y)
real*8 x,y
t=x
y=t
end
! port
subroutine s(x,y)
real*8 x,y
y=x
end
