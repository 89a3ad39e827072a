import pytest

from acclimate.verifier.outputs.text import read


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("no number here, only q1 and t2m", []),
        ("  1.0  -2.5E+03 3d0 .5 7", [1.0, -2500.0, 3.0, 0.5, 7.0]),
        ("mass=0.100-101 kg", [1e-102]),
        ("T F 12", [12.0]),
        ("*******  4", [4.0]),
        ("a 1.0-2.0", [1.0, -2.0]),
    ],
)
def test_numbers_of_a_line(tmp_path, line, numbers):
    (tmp_path / "a.txt").write_text(line + "\n")
    assert read(tmp_path / "a.txt")["numbers"].values.tolist() == pytest.approx(numbers)


def test_nan_is_a_number_so_that_it_is_seen(tmp_path):
    (tmp_path / "a.txt").write_text("theta NaN\n")
    fields = read(tmp_path / "a.txt")
    assert str(fields["numbers"].values[0]) == "nan"
    assert fields["words"].values.tolist() == ["theta #"]


def test_an_element_is_named_by_line_and_number(tmp_path):
    (tmp_path / "a.txt").write_text("x 1\ny 2 3\n")
    assert read(tmp_path / "a.txt")["numbers"].place((2,)) == "line 2, number 2"


def test_a_file_with_zero_bytes_is_no_text_whatever_it_is_called(tmp_path):
    (tmp_path / "a.dat").write_bytes(b"1.0 \0 2.0")
    assert set(read(tmp_path / "a.dat")) == {"bytes"}
