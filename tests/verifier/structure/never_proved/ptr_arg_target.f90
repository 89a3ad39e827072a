subroutine s(a,b)
real(8),target:: a(2),b(2)
real(8) t
t=a(1)
b(1)=2
a(2)=t
end
! port
subroutine s(a,b)
real(8),target:: a(2),b(2)
real(8) t
b(1)=2
a(2)=a(1)
end
