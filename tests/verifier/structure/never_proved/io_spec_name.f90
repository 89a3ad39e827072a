! frame plain
open(unit=7,file='x',access='old')
! port
open(unit=7,file='x',status='old')
