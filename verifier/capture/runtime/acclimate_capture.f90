! What a procedure is given and what it leaves: written down in a run, read back in a replay.
!
! Instrumented procedures ask `acclimate_on` at entry and exit, and nothing else unless something is
! to be done. Depends on nothing but the compiler. The file format is described in ../file_format.py.
module acclimate_capture
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_ptr, c_loc, c_f_pointer, c_null_ptr
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, error_unit
  use acclimate_records
  implicit none
  private
  public :: acclimate_on, acclimate_enter, acclimate_entered, acclimate_leave, acclimate_left
  public :: acclimate_loads, acclimate_meets, acclimate_here, acclimate_low, acclimate_high
  public :: acclimate_bytes, acclimate_scalar, acclimate_array, acclimate_gone, acclimate_mark
  public :: acclimate_spoil, acclimate_mend, acclimate_next, acclimate_restore
  public :: acclimate_needs, acclimate_place, acclimate_extents

  logical :: acclimate_on = .true.  ! until the environment has been looked at

  integer, parameter :: unknown = 0, plan = 1, capture = 2, replay = 3  ! modes
  integer, parameter :: none = 0, saves = 1, loads = 2, poisons = 3, measures = 4  ! phases
  integer, parameter :: deepest = 512, most_calls = 64
  integer, parameter :: entering = 1, leaving = 2
  integer(int64), parameter :: multiplier = 1099511628211_int64

  integer :: mode = unknown, phase = none, side = entering
  integer :: depth = 0, frames(deepest) = 0, numbers(deepest) = 0
  logical :: kept(deepest) = .false.
  integer :: current = 0                              ! the procedure being written down or replayed
  integer :: replayed_call = 0
  integer(int64) :: shapes = 0                        ! a hash of the extents met in this call
  integer, allocatable :: calls(:), chosen(:, :), done(:)
  integer(int8) :: poison = -1

  interface
    ! Every module's own variables are met by a procedure in that module; generated.
    subroutine acclimate_visit_modules() bind(c, name='acclimate_visit_modules')
    end subroutine
    ! Branches; ./edges.c, or ./no_edges.f90 where none are asked for.
    subroutine acclimate_edges_enter(unit, call) bind(c, name='acclimate_edges_enter')
      import c_int
      integer(c_int), value :: unit, call
    end subroutine
    subroutine acclimate_edges_shape(shape) bind(c, name='acclimate_edges_shape')
      import int64
      integer(int64), value :: shape
    end subroutine
    subroutine acclimate_edges_leave() bind(c, name='acclimate_edges_leave')
    end subroutine
  end interface

contains

  ! --- entry and exit of procedures -------------------------------------------------------------

  ! Is there anything to do at this entry? Then the procedure shows its arguments and own state.
  logical function acclimate_enter(unit, name)
    integer, intent(in) :: unit
    character(len=*), intent(in) :: name

    acclimate_enter = .false.
    if (mode == unknown) call begin()
    if (.not. acclimate_on) return
    if (depth == deepest) call give_up('procedures call each other too deep')
    depth = depth + 1
    frames(depth) = unit
    kept(depth) = wants_call(unit)
    numbers(depth) = calls(unit)
    if (.not. kept(depth)) return
    acclimate_enter = .true.
    current = unit
    side = entering
    select case (mode)
    case (plan)
      phase = measures
      shapes = 0
    case (capture)
      phase = saves
      call begin_block(entering, numbers(depth), name)
      call acclimate_visit_modules()
    case (replay)
      phase = loads
    end select
  end function acclimate_enter

  subroutine acclimate_entered()
    if (mode == capture) call end_block()
    phase = none
    if (mode == plan) then
      call acclimate_edges_enter(frames(depth), numbers(depth))
      call acclimate_edges_shape(shapes)
    end if
  end subroutine acclimate_entered

  logical function acclimate_leave(unit, name)
    integer, intent(in) :: unit
    character(len=*), intent(in) :: name

    acclimate_leave = .false.
    if (depth == 0) return
    do while (frames(depth) /= unit .and. depth > 1)  ! left in a way that was not seen
      depth = depth - 1
    end do
    if (mode == plan) call acclimate_edges_leave()
    if (kept(depth) .and. mode /= plan) then
      acclimate_leave = .true.
      current = unit
      side = leaving
      phase = saves
      call begin_block(leaving, numbers(depth), name)
      call acclimate_visit_modules()
    else
      depth = depth - 1
    end if
  end function acclimate_leave

  subroutine acclimate_left()
    call end_block()
    phase = none
    depth = depth - 1
  end subroutine acclimate_left

  logical function wants_call(unit)
    integer, intent(in) :: unit

    calls(unit) = calls(unit) + 1
    select case (mode)
    case (plan)
      wants_call = .true.
    case (capture)
      wants_call = .false.
      if (done(unit) < most_calls) wants_call = chosen(done(unit) + 1, unit) == calls(unit)
      if (wants_call) done(unit) = done(unit) + 1
    case default
      wants_call = unit == current .and. depth == 1
      calls(unit) = replayed_call
    end select
  end function wants_call

  ! --- what is asked about a variable -----------------------------------------------------------

  logical function acclimate_loads()
    acclimate_loads = phase == loads
  end function acclimate_loads

  ! Is the variable to be written, read, overwritten or measured now?
  logical function acclimate_meets(name)
    character(len=*), intent(in) :: name

    select case (phase)
    case (saves)
      acclimate_meets = is_listed(current, name, side)
      if (acclimate_meets) next_name = name
    case (measures)
      acclimate_meets = is_listed(current, name, entering)
    case (loads)
      acclimate_meets = find(name)
    case (poisons)
      acclimate_meets = .true.
    case default
      acclimate_meets = .false.
    end select
  end function acclimate_meets

  ! Overwrite what is met from now on, so that no initial value stands in for what is not listed.
  subroutine acclimate_spoil()
    phase = poisons
  end subroutine acclimate_spoil

  subroutine acclimate_mend()
    phase = loads
  end subroutine acclimate_mend

  ! An argument: the record has to know it, if only as absent.
  logical function acclimate_needs(name)
    character(len=*), intent(in) :: name

    acclimate_needs = find(name)
    if (.not. acclimate_needs) call give_up('the record does not know the argument '//name)
  end function acclimate_needs

  ! One intrinsic value of any type; `bits` is its storage size.
  subroutine acclimate_scalar(code, bits, values) bind(c, name='acclimate_scalar')
    character(kind=c_char), intent(in), value :: code
    integer(c_int), intent(in), value :: bits
    type(*), target :: values
    integer :: nothing(1)

    nothing = 0
    call exchange(code, bits, 0, nothing, nothing, 1, c_loc(values))
  end subroutine acclimate_scalar

  ! An array; `together` is 1 where it is contiguous, so that its address says what it overlaps.
  subroutine acclimate_array(code, bits, rank, lower, extent, together, values) &
      bind(c, name='acclimate_array')
    character(kind=c_char), intent(in), value :: code
    integer(c_int), intent(in), value :: bits, rank, together
    integer(c_int), intent(in) :: lower(*), extent(*)
    type(*), target :: values(*)

    call exchange(code, bits, rank, lower, extent, together, c_loc(values))
  end subroutine acclimate_array

  ! The variable is not allocated, not associated or not present.
  subroutine acclimate_gone(code, rank)
    character(len=1), intent(in) :: code
    integer, intent(in) :: rank

    if (phase == saves) call write_state(code, rank, 0)
  end subroutine acclimate_gone

  ! A structure whose components follow.
  subroutine acclimate_mark(present)
    logical, intent(in) :: present

    if (phase == saves) call write_state('t', 0, merge(1, 0, present))
  end subroutine acclimate_mark

  subroutine exchange(code, bits, rank, lower, extent, together, where)
    character(kind=c_char), intent(in) :: code
    integer, intent(in) :: bits, rank, lower(*), extent(*), together
    type(c_ptr), intent(in) :: where
    integer(int8), pointer :: bytes(:)
    integer(int64) :: count
    integer :: n

    count = bits/8
    do n = 1, rank
      count = count*extent(n)
    end do
    if (phase == measures) then
      do n = 1, rank
        shapes = ieor(shapes, int(extent(n), int64))*multiplier
      end do
      if (rank == 0 .and. code == 'l') call measure_flag(where, bits/8)
      return
    end if
    call c_f_pointer(where, bytes, [count])
    select case (phase)
    case (saves)
      call write_variable(code, bits/8, rank, lower, extent, together, where, bytes)
    case (loads)
      call read_variable(code, bits/8, rank, extent, together, where, bytes)
    case (poisons)
      bytes = poison
    end select
  end subroutine exchange

  ! A flag is part of the shape of a call: each of its states is worth keeping.
  subroutine measure_flag(where, width)
    type(c_ptr), intent(in) :: where
    integer, intent(in) :: width
    integer(int8), pointer :: bytes(:)

    call c_f_pointer(where, bytes, [width])
    shapes = ieor(shapes, int(bytes(1), int64) + 1000)*multiplier
  end subroutine measure_flag

  ! --- replay -----------------------------------------------------------------------------------

  ! The next call to replay, its values at hand; false behind the last one.
  logical function acclimate_next(unit)
    integer, intent(out) :: unit

    if (mode == unknown) call begin()
    acclimate_next = mode == replay
    if (acclimate_next) acclimate_next = next_call(unit, replayed_call)
    if (acclimate_next) current = unit
    depth = 0
  end function acclimate_next

  ! Poison every variable of every module, then give those that were written down their values.
  subroutine acclimate_restore()
    phase = poisons
    call acclimate_visit_modules()
    phase = loads
    call acclimate_visit_modules()
    call restore_random_numbers()
  end subroutine acclimate_restore

  ! Storage that holds the values met last, shared with what it was shared with.
  type(c_ptr) function acclimate_place()
    acclimate_place = placed(poison)
  end function acclimate_place

  ! --- the environment --------------------------------------------------------------------------

  ! ACCLIMATE_MODE: plan, capture or replay. ACCLIMATE_LIST: the variables of each procedure.
  ! ACCLIMATE_CALLS: calls to capture or to replay. ACCLIMATE_FOLDER: where files are written.
  subroutine begin()
    character(len=16) :: word
    integer :: units, status, byte

    call get_environment_variable('ACCLIMATE_MODE', word, status=status)
    acclimate_on = status == 0 .and. word /= ''
    mode = plan
    if (word == 'capture') mode = capture
    if (word == 'replay') mode = replay
    if (.not. acclimate_on) return
    call read_list(units)
    allocate (calls(units), done(units), chosen(most_calls, units))
    calls = 0
    done = 0
    chosen = 0
    if (mode == capture) call read_chosen(chosen)
    if (mode == replay) call open_calls()
    if (mode /= plan) call open_records(mode == replay)
    call get_environment_variable('ACCLIMATE_POISON', word, status=status)
    if (status == 0) then
      read (word, *) byte
      poison = transfer(byte, poison)
    end if
  end subroutine begin
end module acclimate_capture
