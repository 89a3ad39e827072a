import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from acclimate.verifier.outputs import read_outputs
from acclimate.verifier.outputs.fieldstream import read


def encode(name: str, values: np.ndarray, lower: tuple[int, ...]) -> bytes:
    kind = {"f": "real", "i": "integer"}[values.dtype.kind]
    head = [values.dtype.itemsize, values.ndim, *lower, *values.shape]
    text = b"FIELD001" + name.encode().ljust(32) + kind.encode().ljust(8)
    return text + np.array(head, np.int32).tobytes() + values.tobytes(order="F")


FIELD = encode("theta", np.arange(6.0).reshape(2, 3), (0, 1))


@pytest.mark.parametrize("length", range(1, len(FIELD)))
def test_a_dump_cut_anywhere_is_truncated(tmp_path, length):
    (tmp_path / "a.fld").write_bytes(FIELD[:length])
    fields, broken = read_outputs(tmp_path, ["a.fld"])
    assert not fields
    assert "truncated" in broken[0] or "damaged" in broken[0]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"x" * 80, "no field begins at byte 0"),
        (FIELD + FIELD, "twice"),
        (FIELD.replace(b"real   ", b"complex"), "damaged"),
    ],
)
def test_a_damaged_dump_says_why(tmp_path, data, reason):
    (tmp_path / "a.fld").write_bytes(data)
    _, broken = read_outputs(tmp_path, ["a.fld"])
    assert reason in broken[0]


def test_lower_bounds_name_an_element_as_the_model_does(tmp_path):
    (tmp_path / "a.fld").write_bytes(FIELD)
    field = read(tmp_path / "a.fld")["theta"]
    assert field.values[1, 2] == 5.0
    assert field.place((1, 2)) == "(1,3)"


@given(values=arrays(np.float64, array_shapes(min_dims=0, max_dims=4, max_side=4)))
def test_what_was_written_is_read(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("dump") / "a.fld"
    path.write_bytes(encode("q", values, (1,) * values.ndim) + encode("r", np.int32([7]), (1,)))
    fields = read(path)
    assert fields["q"].values.tobytes(order="F") == values.tobytes(order="F")
    assert fields["r"].values.tolist() == [7]


@given(name=st.sampled_from(["u", "w_at_half_level"]))
def test_names_lose_their_blanks(tmp_path_factory, name):
    path = tmp_path_factory.mktemp("dump") / "a.fld"
    path.write_bytes(encode(name, np.float32([1]), (1,)))
    assert list(read(path)) == [name]
