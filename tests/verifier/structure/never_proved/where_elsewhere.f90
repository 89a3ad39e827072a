! frame plain
where (b>0)
b=-b
elsewhere
b=1
end where
! port
where (b>0) b=-b
where (.not. b>0) b=1
