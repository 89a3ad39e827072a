import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from acclimate.verifier.comparing.comparison import Difference, Outputs, compare, unstable
from acclimate.verifier.outputs import Field

Array = np.ndarray


def outputs(*unreadable: str, **fields: Array | Field) -> Outputs:
    made = {k: v if isinstance(v, Field) else Field(v) for k, v in fields.items()}
    return Outputs(made, unreadable)


A = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("left", "right", "kind", "message"),
    [
        (outputs(), outputs(), Difference.NOTHING, "not one value was compared"),
        (outputs(a=np.zeros(0)), outputs(a=np.zeros(0)), Difference.NOTHING, "not one value"),
        (outputs(a=A, b=A), outputs(a=A), Difference.MISSING, "'b' is missing"),
        (outputs(a=A), outputs(a=A, b=A), Difference.EXTRA, "'b' is only in the candidate"),
        (outputs(a=A), outputs(a=A.T), Difference.SHAPE, "from (1:2,1:3) to (1:3,1:2)"),
        (outputs(a=A), outputs(a=Field(A, (0, 1))), Difference.SHAPE, "to (0:1,1:3)"),
        (outputs(a=A), outputs(a=A.astype("f4")), Difference.TYPE, "from float64 to float32"),
        (outputs(a=A), outputs(a=A.astype("i8")), Difference.TYPE, "from float64 to int64"),
        (outputs(a=A * np.nan), outputs(a=A * np.nan), Difference.NAN, "first in both runs"),
        (outputs(a=A), outputs(a=A * np.nan), Difference.NAN, "first in the candidate at (1,1)"),
        (outputs(a=A * np.nan), outputs(a=A), Difference.NAN, "first in the reference"),
        (
            outputs(a=A),
            outputs("d.fld: truncated: the values", a=A),
            Difference.UNREADABLE,
            "candidate: d.fld: truncated",
        ),
    ],
)
def test_each_structural_difference_has_its_own_message(left, right, kind, message):
    found = compare(left, right)
    assert not found.identical
    assert [f.kind for f in found.structural] == [kind]
    assert message in found.structural[0].message


def test_a_value_is_named_with_its_index_and_norms():
    other = A.copy()
    other[1, 2] = 5.5
    finding = compare(outputs(a=A), outputs(a=other)).findings[0]
    assert finding.message == (
        "'a' differs in 1 of 6 values, max abs 0.5, max rel 0.1, rms 0.204,"
        " first at (2,3): 5.0 became 5.5"
    )
    assert finding.norms is not None
    assert finding.norms.rms == pytest.approx(0.5 / np.sqrt(6))


def test_the_sign_of_zero_is_a_bit():
    assert not compare(outputs(a=np.float64([0.0])), outputs(a=np.float64([-0.0]))).identical


def test_words_are_compared():
    words = np.array(["step #"]), np.array(["stop #"])
    found = compare(outputs(a=words[0]), outputs(a=words[1]))
    assert found.findings[0].kind is Difference.VALUES
    assert found.structural, "no tolerance excuses words"


def test_what_differs_from_run_to_run_can_be_left_out_but_not_everything():
    again = A.copy()
    again[0, 0] = 9.0
    masks = unstable(outputs(a=A), outputs(a=again))
    assert compare(outputs(a=A), outputs(a=again), masks).compared == 5
    assert compare(outputs(a=A), outputs(a=again), masks).identical
    everything = {"a": np.ones_like(A, bool)}
    assert compare(outputs(a=A), outputs(a=A), everything).findings[0].kind is Difference.NOTHING


@given(values=arrays(np.float64, array_shapes(max_dims=3), elements=st.floats(allow_nan=False)))
def test_the_same_bits_are_identical(values):
    found = compare(outputs(a=values), outputs(a=values.copy()))
    assert (found.identical, found.compared) == (True, values.size)


@given(
    values=arrays(np.float64, array_shapes(max_dims=3), elements=st.floats(-1e6, 1e6)),
    data=st.data(),
)
def test_one_changed_bit_is_always_found(values, data):
    index = data.draw(st.sampled_from(list(np.ndindex(values.shape))))
    other = values.copy()
    other[index] = np.nextafter(values[index], np.inf)
    found = compare(outputs(a=values), outputs(a=other))
    place = ",".join(str(i + 1) for i in index)
    assert f"first at ({place}):" in found.findings[0].message
