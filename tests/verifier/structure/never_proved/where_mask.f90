! frame plain
where (b>0)
b=-1
c=2
end where
! port
where (b>0) b=-1
where (b>0) c=2
