subroutine s(a)
implicit real(8) (x)
real(8) a
x1=a
a=x1
end
! port
subroutine s(a)
implicit real(4) (x)
real(8) a
x1=a
a=x1
end
