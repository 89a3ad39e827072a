! The records that acclimate_capture writes and reads, and the storage it gives to arguments.
module acclimate_records
  use, intrinsic :: iso_c_binding, only: c_ptr, c_loc, c_f_pointer, c_null_ptr, c_intptr_t
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, error_unit
  implicit none
  private
  public :: read_list, is_listed, read_chosen, open_calls, next_call, open_records
  public :: begin_block, end_block, next_name, write_variable, write_state
  public :: find, read_variable, placed, restore_random_numbers, give_up
  public :: acclimate_here, acclimate_low, acclimate_high, acclimate_bytes, acclimate_extents

  integer, parameter :: longest = 256, ranks = 15, most_found = 8192
  integer(int32), parameter :: version = 1, block = 1, variable = 2, last = 3, cut = 4

  type :: listed_name
    integer :: unit
    character(len=1) :: direction                     ! i(n), o(ut), b(oth)
    character(len=longest) :: name
  end type listed_name

  type :: found_variable
    character(len=longest) :: name = ''
    character(len=1) :: code = ' '
    integer(int32) :: bytes = 0, rank = 0, state = 0, together = 0
    integer(int64) :: address = 0, size = 0, position = 0
    integer(int64) :: lower(ranks) = 1, extent(ranks) = 0
  end type found_variable

  type :: region                                      ! where captured storage lives in the replay
    integer(int64) :: address, size
    type(c_ptr) :: where
  end type region

  type(listed_name), allocatable :: listed(:)
  type(found_variable), allocatable :: found(:)
  type(region), allocatable :: regions(:)
  integer :: number_found = 0, number_regions = 0, met = 0
  ! Units that no model uses; those of NEWUNIT= may be among the values that are replayed.
  integer, parameter :: list_file = 2147483001, calls_file = 2147483002, in_file = 2147483003
  integer, parameter :: out_file = 2147483004
  integer(int64) :: limit = huge(1_int64)             ! bytes of one file
  logical :: is_cut = .false.
  character(len=longest) :: next_name = ''            ! of the variable that is written next

contains

  ! Lines of `unit direction name`.
  subroutine read_list(units)
    integer, intent(out) :: units
    type(listed_name) :: line
    integer :: status, n

    open (list_file, file=setting('ACCLIMATE_LIST'), status='old', action='read')
    n = 0
    do
      read (list_file, *, iostat=status) line%unit, line%direction, line%name
      if (status /= 0) exit
      n = n + 1
    end do
    rewind (list_file)
    allocate (listed(n))
    do n = 1, size(listed)
      read (list_file, *) listed(n)%unit, listed(n)%direction, listed(n)%name
    end do
    close (list_file)
    units = max(1, maxval(listed%unit))
  end subroutine read_list

  logical function is_listed(unit, name, side)
    integer, intent(in) :: unit, side                 ! 1: entry, 2: exit
    character(len=*), intent(in) :: name
    integer :: n

    is_listed = .true.
    do n = 1, size(listed)
      if (listed(n)%unit /= unit) cycle
      if (listed(n)%direction == merge('o', 'i', side == 1)) cycle
      if (listed(n)%name == name) return
    end do
    is_listed = .false.
  end function is_listed

  ! Lines of `unit call`, ascending for each unit.
  subroutine read_chosen(chosen)
    integer, intent(inout) :: chosen(:, :)
    integer :: status, unit, call, n

    open (calls_file, file=setting('ACCLIMATE_CALLS'), status='old', action='read')
    do
      read (calls_file, *, iostat=status) unit, call
      if (status /= 0) exit
      n = count(chosen(:, unit) > 0) + 1
      if (n <= size(chosen, 1)) chosen(n, unit) = call
    end do
    close (calls_file)
  end subroutine read_chosen

  ! One file for each MPI rank, by the name that its launcher gives it.
  subroutine open_records(of_replay)
    logical, intent(in) :: of_replay
    character(len=4200) :: name
    integer(int64) :: bytes
    integer :: status

    name = trim(setting('ACCLIMATE_FOLDER'))//'/rank-'//trim(rank_name())
    if (of_replay) name = trim(setting('ACCLIMATE_FOLDER'))//'/results'
    open (out_file, file=name, access='stream', form='unformatted', status='replace')
    write (out_file) 'ACCLCAPT', version
    flush (out_file)
    call get_environment_variable('ACCLIMATE_LIMIT', name, status=status)
    if (status == 0) then
      read (name, *) bytes
      limit = bytes
    end if
  end subroutine open_records

  function rank_name() result(name)
    character(len=16) :: name
    character(len=20), parameter :: known(5) = [character(len=20) :: 'OMPI_COMM_WORLD_RANK', &
      'PMI_RANK', 'PMIX_RANK', 'MV2_COMM_WORLD_RANK', 'SLURM_PROCID']
    integer :: n, status
    do n = 1, size(known)
      call get_environment_variable(known(n), name, status=status)
      if (status == 0) return
    end do
    name = '0'
  end function rank_name

  subroutine begin_block(side, call, name)
    integer, intent(in) :: side, call
    character(len=*), intent(in) :: name
    integer, allocatable :: seed(:)
    integer :: n

    is_cut = .false.
    write (out_file) block, int(side, int32), int(call, int32), len(name, int32), name
    call random_seed(size=n)
    allocate (seed(n))
    call random_seed(get=seed)
    next_name = '(random numbers)'
    call write_head('i', 4, 1, 1, 0, c_null_ptr)
    write (out_file) 1_int64, int(n, int64), int(seed, int32)
  end subroutine begin_block

  subroutine end_block()
    write (out_file) merge(cut, last, is_cut)
    flush (out_file)
  end subroutine end_block

  subroutine write_head(code, bytes, rank, state, together, where)
    character(len=1), intent(in) :: code
    integer, intent(in) :: bytes, rank, state, together
    type(c_ptr), intent(in) :: where
    write (out_file) variable, len_trim(next_name, int32), trim(next_name), code, &
      int(bytes, int32), int(rank, int32), int(state, int32), int(together, int32), address_of(where)
  end subroutine write_head

  subroutine write_variable(code, width, rank, lower, extent, together, where, bytes)
    character(len=1), intent(in) :: code
    integer, intent(in) :: width, rank, lower(*), extent(*), together
    type(c_ptr), intent(in) :: where
    integer(int8), intent(in) :: bytes(:)
    integer(int64) :: here

    inquire (out_file, pos=here)
    is_cut = is_cut .or. here + size(bytes, kind=int64) > limit
    if (is_cut) return
    call write_head(code, width, rank, 1, together, where)
    write (out_file) int(lower(1:rank), int64), int(extent(1:rank), int64), bytes
  end subroutine write_variable

  ! Of a structure, or of what is not there: state 1 and 0.
  subroutine write_state(code, rank, state)
    character(len=1), intent(in) :: code
    integer, intent(in) :: rank, state
    call write_head(code, 0, rank, state, 0, c_null_ptr)
  end subroutine write_state

  ! Lines of `unit call position`; the position is that of the first variable of an entry.
  subroutine open_calls()
    open (calls_file, file=setting('ACCLIMATE_CALLS'), status='old', action='read')
    open (in_file, file=setting('ACCLIMATE_CAPTURE'), access='stream', &
      form='unformatted', status='old', action='read')
    allocate (found(most_found), regions(most_found))
  end subroutine open_calls

  logical function next_call(unit, call)
    integer, intent(out) :: unit, call
    integer(int64) :: position
    integer :: status

    read (calls_file, *, iostat=status) unit, call, position
    next_call = status == 0
    number_regions = 0                                ! storage of the call before is not used again
    if (next_call) call index_block(position)
  end function next_call

  subroutine index_block(position)
    integer(int64), intent(in) :: position
    integer(int32) :: mark, length
    integer(int64) :: here

    number_found = 0
    here = position
    do
      read (in_file, pos=here) mark
      if (mark /= variable) exit
      if (number_found == most_found) call give_up('too many variables')
      number_found = number_found + 1
      associate (v => found(number_found))
        v = found_variable()
        read (in_file) length
        read (in_file) v%name(1:length)
        read (in_file) v%code, v%bytes, v%rank, v%state, v%together, v%address
        v%size = 0
        if (v%state == 1 .and. v%code /= 't') then
          read (in_file) v%lower(1:v%rank), v%extent(1:v%rank)
          v%size = v%bytes*product(v%extent(1:v%rank))
        end if
        inquire (in_file, pos=v%position)
        here = v%position + v%size
      end associate
    end do
    if (mark /= last) call give_up('the record of the call is not whole')
  end subroutine index_block

  logical function find(name)
    character(len=*), intent(in) :: name
    integer :: n

    do n = 1, number_found
      if (found(n)%name == name) exit
    end do
    met = min(n, number_found)
    find = n <= number_found
  end function find

  logical function acclimate_here()
    acclimate_here = found(met)%state == 1
  end function acclimate_here

  integer function acclimate_low(dimension)
    integer, intent(in) :: dimension
    acclimate_low = int(found(met)%lower(dimension))
  end function acclimate_low

  integer function acclimate_high(dimension)
    integer, intent(in) :: dimension
    acclimate_high = int(found(met)%lower(dimension) + found(met)%extent(dimension)) - 1
  end function acclimate_high

  function acclimate_extents(rank) result(extents)
    integer, intent(in) :: rank
    integer :: extents(rank)
    extents = int(found(met)%extent(1:rank))
  end function acclimate_extents

  integer function acclimate_bytes()
    acclimate_bytes = found(met)%bytes
  end function acclimate_bytes

  ! Into a variable that is there already, in a module or in a procedure.
  subroutine read_variable(code, width, rank, extent, together, where, bytes)
    character(len=1), intent(in) :: code
    integer, intent(in) :: width, rank, extent(*), together
    type(c_ptr), intent(in) :: where
    integer(int8), intent(inout) :: bytes(:)

    associate (v => found(met))
      if (v%state == 0) return
      if (v%code /= code .or. v%bytes /= width .or. v%rank /= rank) &
        call give_up('another type, kind or rank: '//trim(v%name))
      if (any(v%extent(1:rank) /= extent(1:rank))) call give_up('another shape: '//trim(v%name))
      read (in_file, pos=v%position) bytes
      if (together == 1 .and. v%together == 1) call remember(v%address, v%size, where)
    end associate
  end subroutine read_variable

  ! Storage for an argument: where it already lives, or new, with all that it overlaps.
  function placed(poison) result(where)
    integer(int8), intent(in) :: poison
    type(c_ptr) :: where
    integer(int64) :: first, behind

    where = shared(found(met))
    if (address_of(where) /= 0) return
    associate (v => found(met))
      first = v%address
      behind = v%address + v%size
      if (lies_in(v, first, behind)) call widen(first, behind)
      where = fresh(v, first, behind, poison)
    end associate
  end function placed

  ! The addresses of all that overlaps these, and of what overlaps that.
  subroutine widen(first, behind)
    integer(int64), intent(inout) :: first, behind
    integer(int64) :: before(2)
    integer :: n

    do
      before = [first, behind]
      do n = 1, number_found
        if (.not. lies_in(found(n), first, behind)) cycle
        first = min(first, found(n)%address)
        behind = max(behind, found(n)%address + found(n)%size)
      end do
      if (all(before == [first, behind])) return
    end do
  end subroutine widen

  logical function lies_in(v, first, behind)
    type(found_variable), intent(in) :: v
    integer(int64), intent(in) :: first, behind
    lies_in = v%together == 1 .and. v%size > 0
    if (lies_in) lies_in = v%address < behind .and. v%address + v%size > first
  end function lies_in

  ! Where the storage already lives; null if nowhere.
  function shared(v) result(where)
    type(found_variable), intent(in) :: v
    type(c_ptr) :: where
    integer(int8), pointer :: bytes(:)
    integer :: n

    where = c_null_ptr
    if (v%together == 0 .or. v%size == 0) return
    do n = 1, number_regions
      associate (r => regions(n))
        if (v%address + v%size <= r%address .or. r%address + r%size <= v%address) cycle
        if (v%address < r%address .or. v%address + v%size > r%address + r%size) &
          call give_up('storage shared in part: '//trim(v%name))
        call c_f_pointer(r%where, bytes, [r%size])
        where = c_loc(bytes(v%address - r%address + 1))
        return
      end associate
    end do
  end function shared

  ! New storage for these addresses with the captured values, poison before and behind it.
  function fresh(v, first, behind, poison) result(where)
    type(found_variable), intent(in) :: v
    integer(int64), intent(in) :: first, behind
    integer(int8), intent(in) :: poison
    type(c_ptr) :: where
    integer(int64), parameter :: margin = 4096
    integer(int64) :: at
    integer(int8), pointer :: bytes(:)
    integer :: n

    allocate (bytes(behind - first + 2*margin))
    bytes = poison
    where = c_loc(bytes(margin + v%address - first + 1))
    if (.not. lies_in(v, first, behind)) then
      read (in_file, pos=v%position) bytes(margin + 1:margin + v%size)
      return
    end if
    do n = 1, number_found
      if (.not. lies_in(found(n), first, behind)) cycle
      at = margin + found(n)%address - first
      read (in_file, pos=found(n)%position) bytes(at + 1:at + found(n)%size)
    end do
    call remember(first, behind - first, c_loc(bytes(margin + 1)))
  end function fresh

  subroutine remember(address, size, where)
    integer(int64), intent(in) :: address, size
    type(c_ptr), intent(in) :: where

    if (size == 0) return
    if (number_regions == most_found) call give_up('too many variables')
    number_regions = number_regions + 1
    regions(number_regions) = region(address, size, where)
  end subroutine remember

  subroutine restore_random_numbers()
    integer(int32), allocatable :: seed(:)
    if (.not. find('(random numbers)')) return
    allocate (seed(found(met)%extent(1)))
    read (in_file, pos=found(met)%position) seed
    call random_seed(put=int(seed))
  end subroutine restore_random_numbers

  function setting(name) result(text)
    character(len=*), intent(in) :: name
    character(len=4096) :: text
    call get_environment_variable(name, text)
  end function setting

  integer(int64) function address_of(where)
    type(c_ptr), intent(in) :: where
    address_of = int(transfer(where, 0_c_intptr_t), int64)
  end function address_of

  subroutine give_up(why)
    character(len=*), intent(in) :: why
    write (error_unit, '(2a)') 'acclimate: ', why
    stop 77
  end subroutine give_up
end module acclimate_records
