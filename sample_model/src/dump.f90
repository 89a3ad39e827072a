! Binary dump of the prognostic fields, a stream of self-describing records:
! character(8) 'FIELD001', character(32) name, character(8) type, integer(4) kind in bytes, integer(4) rank,
! integer(4) lower(rank), integer(4) extent(rank), then the data in array element order.
module dump
  use, intrinsic :: iso_fortran_env, only: int32, real64
  use grid, only: nh
  use state
  use columns, only: column_t
  use land, only: land_t
  use tracer_mod, only: tracer_t
  implicit none
  private
  public :: write_dump, read_dump

contains

  subroutine write_dump(prefix, step, time, col, island, air)
    character(len=*), intent(in) :: prefix
    integer, intent(in) :: step
    real(real64), intent(in) :: time
    type(column_t), intent(in) :: col
    type(land_t), intent(in) :: island
    type(tracer_t), intent(in) :: air
    character(len=128) :: filename
    integer :: unit, ios

    write (filename, '(a,i6.6,a)') trim(prefix), step, '.fld'
    open (newunit=unit, file=filename, access='stream', form='unformatted', status='replace', &
          action='write', iostat=ios)
    if (ios /= 0) then
      write (*, '(3a)') 'cumulet: cannot write "', trim(filename), '"'
      error stop 1
    end if
    call put_3d(unit, 'rho', now%rho)
    call put_3d(unit, 'rho_theta_m', now%rth)
    call put_3d(unit, 'rho_u', now%ru)
    call put_3d(unit, 'rho_v', now%rv)
    call put_3d(unit, 'rho_w', now%rw)
    call put_3d(unit, 'qv', now%qv)
    call put_3d(unit, 'qc', now%qc)
    call put_3d(unit, 'qr', now%qr)
    call put_3d(unit, 'qi', now%qi)
    call put_2d(unit, 'rain', rain)
    call put_2d(unit, 'evap', evap)
    if (allocated(col%heat)) then
      call put_2d(unit, 'radiative_heating', col%heat, [1, 1])
      call put_2d(unit, 'radiative_flux', col%flux, [1, 1])
    end if
    if (allocated(island%tsoil)) then
      call put_2d(unit, 'skin', tskin)
      call put_2d(unit, 'soil_temperature', island%tsoil, [1, 1])
      call put_1d(unit, 'soil_skin', island%skin)
      call put_1d(unit, 'soil_water', island%water)
      call put_1d(unit, 'soil_fallen', island%fallen)
      call put_1d(unit, 'soil_runoff', island%runoff)
    end if
    if (allocated(air%q)) then
      call put_3d(unit, 'radon', air%q(:, :, :, 1))
      call put_3d(unit, 'dust', air%q(:, :, :, 2))
    end if
    call put_header(unit, 'time', [integer ::], [integer ::])
    write (unit) time
    close (unit)
  end subroutine write_dump

  ! Go on from a dump: the fields, halos included, and the model time.
  subroutine read_dump(filename, time, col, island, air)
    character(len=*), intent(in) :: filename
    real(real64), intent(out) :: time
    type(column_t), intent(inout) :: col
    type(land_t), intent(inout) :: island
    type(tracer_t), intent(inout) :: air
    integer :: unit, ios

    open (newunit=unit, file=filename, access='stream', form='unformatted', status='old', &
          action='read', iostat=ios)
    if (ios /= 0) then
      write (*, '(3a)') 'cumulet: cannot read "', trim(filename), '"'
      error stop 1
    end if
    call get_3d(unit, 'rho', now%rho)
    call get_3d(unit, 'rho_theta_m', now%rth)
    call get_3d(unit, 'rho_u', now%ru)
    call get_3d(unit, 'rho_v', now%rv)
    call get_3d(unit, 'rho_w', now%rw)
    call get_3d(unit, 'qv', now%qv)
    call get_3d(unit, 'qc', now%qc)
    call get_3d(unit, 'qr', now%qr)
    call get_3d(unit, 'qi', now%qi)
    call get_2d(unit, 'rain', rain)
    call get_2d(unit, 'evap', evap)
    if (allocated(col%heat)) then
      call get_2d(unit, 'radiative_heating', col%heat)
      call get_2d(unit, 'radiative_flux', col%flux)
    end if
    if (allocated(island%tsoil)) then
      call get_2d(unit, 'skin', tskin)
      call get_2d(unit, 'soil_temperature', island%tsoil)
      call get_1d(unit, 'soil_skin', island%skin)
      call get_1d(unit, 'soil_water', island%water)
      call get_1d(unit, 'soil_fallen', island%fallen)
      call get_1d(unit, 'soil_runoff', island%runoff)
    end if
    if (allocated(air%q)) then
      call get_3d(unit, 'radon', air%q(:, :, :, 1))
      call get_3d(unit, 'dust', air%q(:, :, :, 2))
    end if
    call check_header(unit, 'time', [integer ::])
    read (unit) time
    close (unit)
  end subroutine read_dump

  ! A dump of NaN or infinity is of no use to anybody.
  subroutine refuse_bad(name, bad)
    character(len=*), intent(in) :: name
    integer, intent(in) :: bad

    if (bad > 0) then
      write (*, '(a,i0,3a)') 'cumulet: ', bad, ' values of "', name, '" are not finite'
      error stop 1
    end if
  end subroutine refuse_bad

  subroutine put_header(unit, name, lower, extent)
    integer, intent(in) :: unit
    character(len=*), intent(in) :: name
    integer, intent(in) :: lower(:), extent(:)
    character(len=32) :: padded
    character(len=8) :: kind_of_data

    padded = name
    kind_of_data = 'real'
    write (unit) 'FIELD001', padded, kind_of_data, int(8, int32), int(size(extent), int32)
    write (unit) int(lower, int32), int(extent, int32)
  end subroutine put_header

  subroutine put_3d(unit, name, f)
    integer, intent(in) :: unit
    character(len=*), intent(in) :: name
    real(real64), intent(in) :: f(:, :, :)
    integer :: i, j, k, bad

    bad = 0
    do k = 1, size(f, 3)
      do j = 1, size(f, 2)
        do i = 1, size(f, 1)
          if (.not. (abs(f(i, j, k)) <= huge(f))) bad = bad + 1
        end do
      end do
    end do
    call refuse_bad(name, bad)
    call put_header(unit, name, [1 - nh, 1 - nh, 1], shape(f))
    write (unit) f
  end subroutine put_3d

  ! Without `lower` a field on the horizontal grid.
  subroutine put_2d(unit, name, f, lower)
    integer, intent(in) :: unit
    character(len=*), intent(in) :: name
    real(real64), intent(in) :: f(:, :)
    integer, intent(in), optional :: lower(2)
    integer :: i, j, bad

    bad = 0
    do j = 1, size(f, 2)
      do i = 1, size(f, 1)
        if (.not. (abs(f(i, j)) <= huge(f))) bad = bad + 1
      end do
    end do
    call refuse_bad(name, bad)
    if (present(lower)) then
      call put_header(unit, name, lower, shape(f))
    else
      call put_header(unit, name, [1 - nh, 1 - nh], shape(f))
    end if
    write (unit) f
  end subroutine put_2d

  subroutine put_1d(unit, name, f)
    integer, intent(in) :: unit
    character(len=*), intent(in) :: name
    real(real64), intent(in) :: f(:)

    call refuse_bad(name, count(.not. (abs(f) <= huge(f))))
    call put_header(unit, name, [1], shape(f))
    write (unit) f
  end subroutine put_1d

  ! The next record has to be this field, of this shape.
  subroutine check_header(unit, name, extent)
    integer, intent(in) :: unit
    character(len=*), intent(in) :: name
    integer, intent(in) :: extent(:)
    character(len=8) :: magic, kind_of_data
    character(len=32) :: found
    integer(int32) :: bytes, rank
    integer(int32) :: lower(size(extent)), there(size(extent))
    integer :: ios

    read (unit, iostat=ios) magic, found, kind_of_data, bytes, rank
    if (ios == 0 .and. rank == size(extent)) read (unit, iostat=ios) lower, there
    if (ios == 0 .and. rank == size(extent) .and. found == name) then
      if (all(there == extent)) return
    end if
    write (*, '(3a)') 'cumulet: the restart file does not hold "', name, '" on this grid'
    error stop 1
  end subroutine check_header

  subroutine get_3d(unit, name, f)
    integer, intent(in) :: unit
    character(len=*), intent(in) :: name
    real(real64), intent(out) :: f(:, :, :)

    call check_header(unit, name, shape(f))
    read (unit) f
  end subroutine get_3d

  subroutine get_1d(unit, name, f)
    integer, intent(in) :: unit
    character(len=*), intent(in) :: name
    real(real64), intent(out) :: f(:)

    call check_header(unit, name, shape(f))
    read (unit) f
  end subroutine get_1d

  subroutine get_2d(unit, name, f)
    integer, intent(in) :: unit
    character(len=*), intent(in) :: name
    real(real64), intent(out) :: f(:, :)

    call check_header(unit, name, shape(f))
    read (unit) f
  end subroutine get_2d

end module dump
