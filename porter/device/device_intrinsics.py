"""Intrinsic procedures that gfortran compiles inline, or finds in the device's C library."""

_ELEMENTAL = """
    abs acos acosh aimag aint alog alog10 amax1 amin1 amod anint asin asinh atan atan2 atanh btest
    ceiling cmplx conjg cos cosh dabs dacos dasin datan datan2 dble dcos dexp dim dlog dlog10 dmax1
    dmin1 dmod dprod dsign dsin dsqrt dtan erf erfc exp exponent float floor fraction gamma hypot
    iabs iand ibclr ibits ibset idint ieor ifix int ior ishft ishftc isign isnan log log10 log_gamma
    logical max max0 max1 merge min min0 min1 mod modulo nearest nint not real rrspacing scale
    set_exponent sign sin sinh sngl spacing sqrt tan tanh
"""
_INQUIRY = """
    bit_size digits epsilon huge kind lbound maxexponent minexponent precision present radix range
    selected_int_kind selected_real_kind size tiny ubound
"""
_NO_DATA_ACCESS = "allocated associated c_loc loc shape storage_size"
_ARRAY_REDUCTIONS = "all any count dot_product maxval minval product sum"

ELEMENTAL = frozenset(_ELEMENTAL.split())
INQUIRY = frozenset(_INQUIRY.split())
WITHOUT_ACCESS = INQUIRY | frozenset(_NO_DATA_ACCESS.split())
"""Inquiry functions that look at no element of their argument."""
ARRAY_REDUCTIONS = frozenset(_ARRAY_REDUCTIONS.split())
