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


TABLE = "# step time[s] wmax\n 0 0.0 1.5\n 5 30.0 ***\n"


def test_a_row_with_stars_ends_a_table(tmp_path):
    (tmp_path / "a.txt").write_text(TABLE)
    fields = read(tmp_path / "a.txt")
    assert fields["wmax"].values.tolist() == [1.5]
    assert fields["numbers"].values.tolist() == [5.0, 30.0]


def test_a_table_is_read_by_column_and_its_steps_number_the_rows(tmp_path):
    (tmp_path / "a.txt").write_text("run 7\n" + TABLE.replace("***", "2.5") + "profile\n1 2 3\n")
    fields = read(tmp_path / "a.txt")
    assert fields["wmax"].values.tolist() == [1.5, 2.5]
    assert (fields["wmax"].records, fields["wmax"].place((1,))) == ((0, 5), "line 4")
    assert fields["numbers"].values.tolist() == [7.0, 1.0, 2.0, 3.0]


def test_two_tables_of_the_same_head_are_kept_apart(tmp_path):
    (tmp_path / "a.txt").write_text("z t\n1 2\n\nz t\n1 3\n")
    fields = read(tmp_path / "a.txt")
    assert (fields["t"].values.tolist(), fields["t (2)"].values.tolist()) == ([2.0], [3.0])


def test_prose_above_numbers_is_no_table(tmp_path):
    (tmp_path / "a.txt").write_text("maximum wind\n3.0\n")
    assert set(read(tmp_path / "a.txt")) == {"numbers", "words"}
