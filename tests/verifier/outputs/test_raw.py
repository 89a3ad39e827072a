import pytest

from acclimate.verifier.outputs import BadOutput
from acclimate.verifier.outputs.raw import read


def test_an_empty_file_is_no_output(tmp_path):
    (tmp_path / "restart").touch()
    with pytest.raises(BadOutput, match="empty"):
        read(tmp_path / "restart")


def test_bytes_are_counted_from_zero(tmp_path):
    (tmp_path / "restart").write_bytes(b"\x01\x02")
    field = read(tmp_path / "restart")["bytes"]
    assert (field.values.tolist(), field.place((1,))) == ([1, 2], "(1)")
