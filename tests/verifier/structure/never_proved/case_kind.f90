! frame frame_6
select case(int(a(1)*0.1))
case(1)
g=1
end select
! port
select case(int(a(1)*0.1d0))
case(1)
g=1
end select
