subroutine s(x,y)
real*8 x,y
real*8 abs
external abs
y=abs(x)
end
! port
subroutine s(x,y)
real*8 x,y
y=abs(x)
end
