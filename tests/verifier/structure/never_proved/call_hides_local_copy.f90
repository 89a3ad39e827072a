! frame plain
t=b(1,1)
call foo(t)
! port
call foo(b(1,1))
