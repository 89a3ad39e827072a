! frame frame_2
t=g
call upd()
a(1)=t
! port
call upd()
a(1)=g
