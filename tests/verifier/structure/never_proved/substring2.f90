! frame frame_2
ch(1:2)='ab'
call upd()
! port
ch(2:3)='ab'
call upd()
