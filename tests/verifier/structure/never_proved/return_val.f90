real(8) function f(x)
real(8) x
real(4) t
t=x
f=t
end
! port
real(8) function f(x)
real(8) x
real(4) t
f=x
end
