! frame plain
block
a(1,1)=1
end block
! port
block
a(1,1)=2
end block
