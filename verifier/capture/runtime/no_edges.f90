! Answers acclimate_capture where branches are not watched.
subroutine acclimate_edges_enter(unit, call) bind(c, name='acclimate_edges_enter')
  use, intrinsic :: iso_c_binding, only: c_int
  integer(c_int), value :: unit, call
end subroutine
subroutine acclimate_edges_shape(shape) bind(c, name='acclimate_edges_shape')
  use, intrinsic :: iso_fortran_env, only: int64
  integer(int64), value :: shape
end subroutine
subroutine acclimate_edges_leave() bind(c, name='acclimate_edges_leave')
end subroutine
