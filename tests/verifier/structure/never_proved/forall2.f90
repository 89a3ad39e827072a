! frame frame_6
forall(i=2:n)
a(i)=ga(i-1)
ga(i)=a(i)
end forall
! port
do i=2,n
a(i)=ga(i-1)
ga(i)=a(i)
end do
