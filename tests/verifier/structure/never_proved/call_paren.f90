! frame plain
call foo((t))
a(1,1)=t
! port
call foo(t)
a(1,1)=t
