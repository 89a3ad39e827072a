"""What the index finds contradicted in the source, intents among it."""

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import Manifest

SOURCE = """
subroutine liar(x, y, z, n)
  integer, intent(in) :: n
  real, intent(in) :: x(n)
  real, intent(out) :: y, z
  z = y
  if (n > 1) z = 1.0
  call change(x, n)
  y = z
end subroutine
subroutine change(x, n)
  integer :: n
  real :: x(n)
  x(1) = 0.0
end subroutine
subroutine honest(x, y)
  real, intent(in) :: x
  real, intent(out) :: y
  external :: elsewhere
  call elsewhere(x)
  if (x > 0.0) y = x
end subroutine
"""


def test_intents_against_the_body(tmp_path):
    (tmp_path / "s.f90").write_text(SOURCE)
    index = index_project(Manifest(root=tmp_path, name="t", sources=("s.f90",)))
    assert [(f.at.first, f.kind, f.claim, f.detail) for f in index.findings] == [
        (4, "intent", "intent(in) x", "`x` is INTENT(IN) but written (s.f90:8)"),
        (
            5,
            "intent",
            "intent(out) y",
            "`y` is INTENT(OUT) but may be read before it is set (s.f90:6)",
        ),
    ]
