"""Files of captured calls: what is damaged is left out or refused, never guessed."""

import struct

import numpy as np
import pytest

from acclimate.analysis.problems import Problem
from acclimate.verifier.capture.file_format import read_blocks

HEAD = b"ACCLCAPT" + struct.pack("=i", 1)


def block(*variables: bytes, mark: int = 3, call: int = 7) -> bytes:
    name = b"m::s"
    head = struct.pack("=4i", 1, 1, call, len(name)) + name
    return head + b"".join(variables) + struct.pack("=i", mark)


def variable(name: bytes, values: np.ndarray, lower: tuple[int, ...]) -> bytes:
    code = b"r" if values.dtype.kind == "f" else b"i"
    head = struct.pack("=2i", 2, len(name)) + name + code
    head += struct.pack("=4iq", values.itemsize, values.ndim, 1, 1, 4096)
    head += struct.pack(f"={2 * values.ndim}q", *lower, *values.shape)
    return head + values.tobytes("F")


A = np.arange(6.0).reshape(2, 3)


def test_names_bounds_and_values_come_back(tmp_path):
    (tmp_path / "f").write_bytes(HEAD + block(variable(b"a", A, (0, -1))))
    (found,) = read_blocks(tmp_path / "f")
    assert (found.unit, found.call, found.side, found.whole) == ("m::s", 7, 1, True)
    assert found.variables["a"].lower == (0, -1)
    assert np.array_equal(found.variables["a"].values, A)


@pytest.mark.parametrize("lost", [1, 4, 20, 60])
def test_a_block_that_was_never_finished_is_left_out(tmp_path, lost):
    data = HEAD + block(call=1) + block(variable(b"a", A, (1, 1)), call=2)
    (tmp_path / "f").write_bytes(data[:-lost])
    assert [found.call for found in read_blocks(tmp_path / "f")] == [1]


def test_a_block_that_a_limit_has_cut_is_not_whole(tmp_path):
    (tmp_path / "f").write_bytes(HEAD + block(mark=4))
    assert [found.whole for found in read_blocks(tmp_path / "f")] == [False]


@pytest.mark.parametrize("data", [b"", b"ACCL", b"ACCLCAPT" + struct.pack("=i", 99), b"x" * 50])
def test_a_file_of_another_kind_is_refused(tmp_path, data):
    (tmp_path / "f").write_bytes(data)
    with pytest.raises(Problem, match="no captured calls of this version"):
        list(read_blocks(tmp_path / "f"))
