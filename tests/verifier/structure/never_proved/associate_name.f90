! frame plain
associate(x => (w(1)))
w(1)=5
a(1,1)=x
end associate
! port
associate(x => w(1))
w(1)=5
a(1,1)=x
end associate
