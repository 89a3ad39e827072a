program pond
  use water, only: advance, fill, level, smooth, highest
  implicit none
  integer :: step, steps, unit
  namelist /run/ steps
  open (newunit=unit, file='pond.nml', status='old', action='read')
  read (unit, nml=run)
  close (unit)
  call fill()
  do step = 1, steps
    call advance()
    call smooth()
  end do
  open (newunit=unit, file='level.txt', status='replace', action='write')
  write (unit, '(es24.16)') level
  write (unit, '(es24.16)') highest()
  close (unit)
end program pond
