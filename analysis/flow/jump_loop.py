"""A loop that jumps make."""

from dataclasses import dataclass

from acclimate.analysis.ir import Do


@dataclass(slots=True, eq=False, kw_only=True)
class JumpLoop(Do):
    """The natural loop of the backward jumps to one label; it stands in no source.

    Its body begins with the statement of that label. A jump to the label from inside begins the
    next iteration, any other jump leaves the loop; the end of the body is never reached.
    """

    header: str
