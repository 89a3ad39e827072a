! frame plain
open(unit=7,file='x',status='old')
! port
open(unit=7,file='x',status='new')
