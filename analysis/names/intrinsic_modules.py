"""What the intrinsic modules of Fortran 2018 declare, and the modules `omp_lib` and `openacc`.

Values are those of GNU Fortran on 64-bit machines; where a value is not known here the constant
has none. Functions of the standard are intrinsic procedures. Its subroutines, which write their
arguments or a state of the processor, and the libraries' procedures count as external ones.
"""

from collections.abc import Iterable, Mapping

from acclimate.analysis.ir import DerivedType, Literal, LiteralKind, Symbol, Unit, UnitKind
from acclimate.analysis.source import Lines

_NOWHERE = Lines("", 0, 0)
_CONSTANT = frozenset({"parameter"})


def _module(
    name: str,
    integers: Mapping[str, int | None],
    constants: Mapping[str, str],
    types: str = "",
    functions: str = "",
    external: str = "",
) -> Unit:
    """A module: `integers` by value, other `constants` by type, other names between blanks."""
    unit = Unit(
        kind=UnitKind.MODULE, name=name, at=_NOWHERE, end=_NOWHERE, specification_end=_NOWHERE
    )
    symbols = [_integer(symbol, value) for symbol, value in integers.items()]
    symbols += [
        Symbol(name=symbol, at=_NOWHERE, type=kind, attributes=_CONSTANT)
        for symbol, kind in constants.items()
    ]
    symbols += _procedures(functions.split(), "intrinsic")
    symbols += _procedures(external.split(), "external")
    for symbol in symbols:
        symbol.owner = unit
        unit.symbols[symbol.name] = symbol
    for kind in types.split():
        unit.types[kind] = DerivedType(name=kind, at=_NOWHERE, components={}, bindings={})
    return unit


def _integer(name: str, value: int | None) -> Symbol:
    initial = None if value is None else Literal(LiteralKind.INTEGER, str(value))
    return Symbol(name=name, at=_NOWHERE, type="integer", attributes=_CONSTANT, initial=initial)


def _procedures(names: Iterable[str], attribute: str) -> list[Symbol]:
    return [Symbol(name=name, at=_NOWHERE, attributes=frozenset({attribute})) for name in names]


def _each(names: str, value: int | None) -> dict[str, int | None]:
    return dict.fromkeys(names.split(), value)


def _typed(names: str, kind: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), kind)


_ISO_FORTRAN_ENV = _module(
    "iso_fortran_env",
    {
        **{"int8": 1, "int16": 2, "int32": 4, "int64": 8, "real32": 4, "real64": 8, "real128": 16},
        **{"logical8": 1, "logical16": 2, "logical32": 4, "logical64": 8, "real16": None},
        **{"input_unit": 5, "output_unit": 6, "error_unit": 0},
        **{"character_storage_size": 8, "file_storage_size": 8, "numeric_storage_size": 32},
        **{"iostat_end": -1, "iostat_eor": -2, "iostat_inquire_internal_unit": None},
        **{"atomic_int_kind": 4, "atomic_logical_kind": 4, "current_team": None},
        **_each(
            "initial_team parent_team stat_failed_image stat_locked stat_locked_other_image", None
        ),
        **_each("stat_stopped_image stat_unlocked stat_unlocked_failed_image", None),
        **_each("character_kinds integer_kinds logical_kinds real_kinds", None),
    },
    {},
    "event_type lock_type team_type",
    "compiler_options compiler_version",
)

_ISO_C_BINDING = _module(
    "iso_c_binding",
    {
        **_each("c_bool c_char c_signed_char c_int8_t c_int_least8_t", 1),
        **_each("c_short c_int16_t c_int_least16_t", 2),
        **_each("c_int c_int32_t c_int_least32_t c_float c_float_complex", 4),
        **_each("c_long c_long_long c_size_t c_intmax_t c_intptr_t c_ptrdiff_t", 8),
        **_each("c_int64_t c_int_least64_t c_int_fast16_t c_int_fast32_t c_int_fast64_t", 8),
        **_each("c_double c_double_complex", 8),
        **_each("c_long_double c_long_double_complex c_float128 c_float128_complex", None),
        **_each("c_int_fast8_t", 1),
    },
    {
        **_typed("c_alert c_backspace c_form_feed c_new_line c_null_char", "character"),
        **_typed("c_carriage_return c_horizontal_tab c_vertical_tab", "character"),
        "c_null_ptr": "type(c_ptr)",
        "c_null_funptr": "type(c_funptr)",
    },
    "c_ptr c_funptr",
    "c_associated c_funloc c_loc c_sizeof",
    "c_f_pointer c_f_procpointer",
)

_FLAGS = _typed(
    "ieee_overflow ieee_underflow ieee_divide_by_zero ieee_inexact ieee_invalid ieee_usual"
    " ieee_all",
    "type(ieee_flag_type)",
)
_EXCEPTION_TYPES = "ieee_flag_type ieee_status_type ieee_modes_type"
_EXCEPTION_FUNCTIONS = "ieee_support_flag ieee_support_halting"
_EXCEPTION_SUBROUTINES = (
    "ieee_get_flag ieee_set_flag ieee_get_halting_mode ieee_set_halting_mode ieee_get_status"
    " ieee_set_status ieee_get_modes ieee_set_modes"
)

_IEEE_EXCEPTIONS = _module(
    "ieee_exceptions", {}, _FLAGS, _EXCEPTION_TYPES, _EXCEPTION_FUNCTIONS, _EXCEPTION_SUBROUTINES
)

_IEEE_ARITHMETIC = _module(
    "ieee_arithmetic",
    {},
    {
        **_FLAGS,
        **_typed(
            "ieee_signaling_nan ieee_quiet_nan ieee_negative_inf ieee_negative_normal"
            " ieee_negative_denormal ieee_negative_subnormal ieee_negative_zero ieee_positive_zero"
            " ieee_positive_denormal ieee_positive_subnormal ieee_positive_normal"
            " ieee_positive_inf ieee_other_value",
            "type(ieee_class_type)",
        ),
        **_typed(
            "ieee_nearest ieee_to_zero ieee_up ieee_down ieee_away ieee_other",
            "type(ieee_round_type)",
        ),
    },
    f"{_EXCEPTION_TYPES} ieee_class_type ieee_round_type",
    f"{_EXCEPTION_FUNCTIONS} ieee_class ieee_copy_sign ieee_fma ieee_int ieee_is_finite"
    " ieee_is_nan ieee_is_negative ieee_is_normal ieee_logb ieee_max_num ieee_max_num_mag"
    " ieee_min_num ieee_min_num_mag ieee_next_after ieee_next_down ieee_next_up ieee_quiet_eq"
    " ieee_quiet_ge ieee_quiet_gt ieee_quiet_le ieee_quiet_lt ieee_quiet_ne ieee_real ieee_rem"
    " ieee_rint ieee_scalb ieee_selected_real_kind ieee_signaling_eq ieee_signaling_ge"
    " ieee_signaling_gt ieee_signaling_le ieee_signaling_lt ieee_signaling_ne ieee_signbit"
    " ieee_support_datatype ieee_support_denormal ieee_support_divide ieee_support_inf"
    " ieee_support_io ieee_support_nan ieee_support_rounding ieee_support_sqrt"
    " ieee_support_standard ieee_support_subnormal ieee_support_underflow_control ieee_unordered"
    " ieee_value",
    f"{_EXCEPTION_SUBROUTINES} ieee_get_rounding_mode ieee_set_rounding_mode"
    " ieee_get_underflow_mode ieee_set_underflow_mode",
)

_IEEE_FEATURES = _module(
    "ieee_features",
    {},
    _typed(
        "ieee_datatype ieee_denormal ieee_divide ieee_halting ieee_inexact_flag ieee_inf"
        " ieee_invalid_flag ieee_nan ieee_rounding ieee_sqrt ieee_subnormal ieee_underflow_flag",
        "type(ieee_features_type)",
    ),
    "ieee_features_type",
)

_OMP_LIB = _module(
    "omp_lib",
    {
        **_each("omp_lock_kind omp_nest_lock_kind omp_sched_kind omp_proc_bind_kind", None),
        **_each("omp_lock_hint_kind omp_sync_hint_kind omp_pause_resource_kind", None),
        **_each("omp_allocator_handle_kind omp_alloctrait_key_kind omp_alloctrait_val_kind", None),
        **_each("omp_memspace_handle_kind omp_depend_kind omp_event_handle_kind", None),
        **_each("openmp_version omp_initial_device omp_invalid_device", None),
        **{"omp_sched_static": 1, "omp_sched_dynamic": 2, "omp_sched_guided": 3},
        **{"omp_sched_auto": 4, "omp_proc_bind_false": 0, "omp_proc_bind_true": 1},
        **{"omp_proc_bind_master": 2, "omp_proc_bind_close": 3, "omp_proc_bind_spread": 4},
    },
    {},
    "",
    "",
    "omp_get_active_level omp_get_ancestor_thread_num omp_get_cancellation omp_get_default_device"
    " omp_get_dynamic omp_get_initial_device omp_get_level omp_get_max_active_levels"
    " omp_get_max_threads omp_get_nested omp_get_num_devices omp_get_num_places omp_get_num_procs"
    " omp_get_num_teams omp_get_num_threads omp_get_place_num omp_get_proc_bind omp_get_schedule"
    " omp_get_team_num omp_get_team_size omp_get_thread_limit omp_get_thread_num omp_get_wtick"
    " omp_get_wtime omp_in_final omp_in_parallel omp_is_initial_device omp_set_default_device"
    " omp_set_dynamic omp_set_max_active_levels omp_set_nested omp_set_num_threads"
    " omp_set_schedule omp_init_lock omp_destroy_lock omp_set_lock omp_unset_lock omp_test_lock"
    " omp_init_nest_lock omp_destroy_nest_lock omp_set_nest_lock omp_unset_nest_lock"
    " omp_test_nest_lock",
)

_OPENACC = _module(
    "openacc",
    {
        **_each("acc_device_kind acc_handle_kind openacc_version", None),
        **_each("acc_device_none acc_device_default acc_device_host acc_device_not_host", None),
        **_each("acc_device_nvidia acc_device_radeon acc_device_current acc_device_property", None),
        **_each("acc_device_property_kind acc_property_memory acc_property_free_memory", None),
        **_each("acc_property_name acc_property_vendor acc_property_driver", None),
        **{"acc_async_noval": -1, "acc_async_sync": -2},
    },
    {},
    "",
    "",
    "acc_get_num_devices acc_set_device_type acc_get_device_type acc_set_device_num"
    " acc_get_device_num acc_get_property acc_get_property_string acc_async_test"
    " acc_async_test_all acc_wait acc_async_wait acc_wait_async acc_wait_all acc_async_wait_all"
    " acc_wait_all_async acc_init acc_shutdown acc_on_device acc_copyin acc_present_or_copyin"
    " acc_pcopyin acc_create acc_present_or_create acc_pcreate acc_copyout acc_delete"
    " acc_update_device acc_update_self acc_is_present acc_copyin_async acc_create_async"
    " acc_copyout_async acc_delete_async acc_update_device_async acc_update_self_async"
    " acc_copyout_finalize acc_delete_finalize acc_copyout_finalize_async"
    " acc_delete_finalize_async acc_attach acc_detach",
)

MODULES = {
    module.name: module
    for module in (
        _ISO_FORTRAN_ENV,
        _ISO_C_BINDING,
        _IEEE_EXCEPTIONS,
        _IEEE_ARITHMETIC,
        _IEEE_FEATURES,
        _OMP_LIB,
        _OPENACC,
    )
}
