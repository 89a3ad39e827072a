! frame frame_6
where(a>0)
a=ga(1:n)
ga(1:n)=2
end where
! port
do i=1,n
if (a(i)>0) then
a(i)=ga(i)
ga(i)=2
end if
end do
