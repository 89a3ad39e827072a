"""Readers of binary formats: damage is told, what was written is read, values can be replaced."""

import h5py
import netCDF4
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.verifier.outputs import BadOutput, read_outputs, replace_values
from acclimate.verifier.outputs.fortran_sequential import element_type, find_records

PROFILE = np.linspace(1.0, 2.0, 7)
WIND = np.arange(24.0).reshape(2, 3, 4) + 0.1  # (time, y, x)


def record(content, order="little"):
    marker = len(content).to_bytes(4, order)
    return marker + content + marker


def sequential(path):
    path.write_bytes(record(np.int32([3, 4]).tobytes()) + record(PROFILE.tobytes()))


def stream(path):
    path.write_bytes(PROFILE.tobytes())


def arrays(path):
    np.savez(path, PROFILE=PROFILE, WIND=WIND)


def array(path):
    np.save(path, PROFILE)


def netcdf(path):
    with netCDF4.Dataset(path, "w") as data:
        for name, size in (("time", None), ("y", 3), ("x", 4), ("lev", 7)):
            data.createDimension(name, size)
        data.createVariable("wind", "f8", ("time", "y", "x"), fill_value=-9.0)[:] = WIND
        data.createGroup("col").createVariable("t", "f8", ("lev",))[:] = PROFILE


def hdf5(path):
    with h5py.File(path, "w") as data:
        data.create_dataset("wind", data=WIND, maxshape=(None, 3, 4))
        data["col/t"] = PROFILE


WRITERS = {
    "a.unf": sequential,
    "fort.21": sequential,
    "a.bin": stream,
    "a.npz": arrays,
    "a.npy": array,
    "a.nc": netcdf,
    "a.h5": hdf5,
}


def fields_of(folder, name):
    fields, broken = read_outputs(folder, [name])
    assert broken == ()
    return {key.partition(":")[2]: field for key, field in fields.items()}


@pytest.mark.parametrize("name", ["a.unf", "a.npz", "a.npy", "a.nc", "a.h5"])
@pytest.mark.parametrize("kept", [0.0, 0.4, 0.9])
def test_a_file_that_was_cut_is_told_and_gives_no_field(tmp_path, name, kept):
    WRITERS[name](tmp_path / name)
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data[: int(kept * len(data)) + 1])
    fields, broken = read_outputs(tmp_path, [name])
    assert (fields, len(broken)) == ({}, 1)


def test_objects_are_never_unpickled(tmp_path):
    np.save(tmp_path / "a.npy", np.array([{"a": 1}], object), allow_pickle=True)
    _, broken = read_outputs(tmp_path, ["a.npy"])
    assert "allow_pickle" in broken[0]


def test_a_compound_type_is_named(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as data:
        data["pair"] = np.zeros(3, [("a", "f8"), ("b", "i4")])
    _, broken = read_outputs(tmp_path, ["a.h5"])
    assert "'pair' is of type" in broken[0]


@pytest.mark.parametrize("name", WRITERS)
def test_one_value_replaced_is_the_only_change(tmp_path, name):
    WRITERS[name](tmp_path / name)
    before = fields_of(tmp_path, name)
    variable = next(key for key, field in before.items() if PROFILE.shape == field.values.shape)
    assert before[variable].values.tolist() == PROFILE.tolist()
    changed = PROFILE.copy()
    changed[2] = np.nextafter(changed[2], 2.0)
    replace_values(tmp_path / name, {variable: changed})
    after = fields_of(tmp_path, name)
    assert after.keys() == before.keys()
    assert after[variable].values.tobytes() == changed.tobytes()
    others = after.keys() - {variable}
    assert all(after[k].values.tobytes() == before[k].values.tobytes() for k in others)


def test_bytes_cannot_be_replaced(tmp_path):
    (tmp_path / "state").write_bytes(b"\x01")
    with pytest.raises(BadOutput, match="cannot be replaced"):
        replace_values(tmp_path / "state", {"bytes": np.uint8([2])})


@pytest.mark.parametrize("name", ["a.nc", "a.h5"])
def test_dimensions_are_fortrans_and_times_come_last(tmp_path, name):
    WRITERS[name](tmp_path / name)
    field = fields_of(tmp_path, name)["wind"]
    assert (field.values.shape, field.records) == ((4, 3, 2), (1, 2))
    assert field.values[3, 1, 0] == WIND[0, 1, 3]
    assert "col/t" in fields_of(tmp_path, name)


def test_big_endian_and_split_records_are_read(tmp_path):
    big = PROFILE.astype(">f8").tobytes()
    (tmp_path / "a.unf").write_bytes(record(big, "big"))
    assert fields_of(tmp_path, "a.unf")["record 1"].values.tolist() == PROFILE.tolist()
    data = PROFILE.tobytes()
    first, last = data[:16], data[16:]
    split = (-16).to_bytes(4, "little", signed=True) + first + (16).to_bytes(4, "little")
    split += len(last).to_bytes(4, "little") + last
    split += (-len(last)).to_bytes(4, "little", signed=True)
    (tmp_path / "b.unf").write_bytes(split)
    assert fields_of(tmp_path, "b.unf")["record 1"].values.tolist() == PROFILE.tolist()


@pytest.mark.parametrize("data", [b"", b"12345", record(b"abcd")[:-1], record(b"x") + b"\0"])
def test_what_is_no_whole_record_is_no_sequential_file(data):
    assert not find_records(data)


@given(st.integers(0, 40), st.integers(0, 9), st.booleans())
def test_zeros_are_empty_records_however_many(zeros, size, goes_on):
    """A record that goes on may end in an empty one; half of one is none."""
    data = record(b"x" * size) + bytes(zeros)
    data += (-2).to_bytes(4, "little", signed=True) + b"ab" + (2).to_bytes(4, "little") * goes_on
    found = find_records(data + bytes(8 * goes_on))
    if not goes_on or zeros % 8:
        assert found is None
    else:
        empty = [r for r in found[1:-1] if r.data(data) == b""]
        assert (len(found), len(empty)) == (zeros // 8 + 2, zeros // 8)
        assert [len(r.parts) for r in found[-1:]] == [2]


@given(
    st.integers(0, 999), st.integers(16, 60), st.sampled_from(["<f8", "<f4"]), st.integers(-8, 8)
)
def test_reals_of_both_kinds_are_told_apart(seed, count, kind, size):
    field = np.random.default_rng(seed).uniform(1.0, 3.0, count) * 10.0**size
    assert element_type(field.astype(kind).tobytes()) == np.dtype(kind)


def test_round_numbers_are_double_precision():
    assert element_type(np.array([2.0, 1.0, 0.0, 1.5]).tobytes()) == np.float64


def test_counters_are_integers_and_text_is_bytes():
    assert element_type(np.arange(9, dtype=np.int32).tobytes()) == np.int32
    assert element_type(b"theta   wind    ") == np.uint8


def test_an_unreadable_netcdf_is_a_bad_output(tmp_path):
    (tmp_path / "a.nc").write_bytes(b"CDF")
    with pytest.raises(BadOutput, match="no NetCDF file"):
        replace_values(tmp_path / "a.nc", {})


@pytest.mark.parametrize("name", ["a.unf", "a.bin"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_value_that_is_not_finite_is_seen_in_a_file_without_types(tmp_path, name, bad):
    spoilt = PROFILE.copy()
    spoilt[3] = bad
    data = spoilt.tobytes()
    (tmp_path / name).write_bytes(record(data) if name == "a.unf" else data)
    (field,) = fields_of(tmp_path, name).values()
    np.testing.assert_array_equal(field.values, spoilt)
