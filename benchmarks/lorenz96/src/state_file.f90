! States as unformatted sequential files: one record, the field.
module state_file
  use lorenz, only: wp
  implicit none
  private
  public :: write_state, read_state

contains

  subroutine write_state(step, x)
    integer, intent(in) :: step
    real(wp), intent(in) :: x(:)
    character(len=32) :: filename
    integer :: unit

    write (filename, '(a,i6.6,a)') 'state_', step, '.unf'
    open (newunit=unit, file=filename, form='unformatted', status='replace', action='write')
    write (unit) x
    close (unit)
  end subroutine write_state

  subroutine read_state(filename, x)
    character(len=*), intent(in) :: filename
    real(wp), intent(out) :: x(:)
    integer :: unit

    open (newunit=unit, file=filename, form='unformatted', status='old', action='read')
    read (unit) x
    close (unit)
  end subroutine read_state

end module state_file
