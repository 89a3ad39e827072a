"""What a port that came from elsewhere has won over the rules' own, by the measure of the flow."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.index import index_project
from acclimate.analysis.ir import Do
from acclimate.porter.agent.choice import Choice, not_asked
from acclimate.porter.agent.trial import Work
from acclimate.porter.author.task import tasks
from acclimate.porter.engine import plan
from acclimate.porter.kernels.selection import standing_kernels
from acclimate.porter.names.scope import Scopes
from acclimate.porter.plan import LoopState

if TYPE_CHECKING:
    from acclimate.analysis.tree.manifest import Manifest


def stalled(original: "Manifest", port: "Manifest", only: tuple[str, ...]) -> tuple[str, ...]:
    """Units of which the rules refuse loops and that have gained nothing in `port`.

    A unit gains where more of its DO loops run in kernels, or fewer outside, than with the rules
    alone. Loops of procedures that only the port has count for each unit; kernels that are written
    with OpenACC's `serial` count like others.
    """
    index = index_project(original)
    planned = plan(index, frozenset())
    asked = tasks(planned, index, not_asked(index, Choice(ask=only)), everything=False)
    loops = {loop.at for loop in index.loops}
    states = [(d.unit, d.state) for d in planned.loops if d.at in loops]
    scopes = Scopes(index_project(port).project)
    new = scopes.project.units.keys() - index.project.units.keys()
    found = []
    for task in asked:
        mine = [state for unit, state in states if unit == task.unit]
        host = sum(state is LoopState.REFUSED for state in mine)
        rules = Work(len(mine) - host, (host, 0, 0))
        if not _standing(scopes, {task.unit, *new}).gains(rules):
            found.append(task.unit)
    return tuple(found)


def _standing(scopes: Scopes, units: Iterable[str]) -> Work:
    """DO loops of some units in kernels that stand in the source, and the others."""
    ported = every = 0
    for name in units:
        unit = scopes.project.units.get(name)
        if unit is None:
            continue
        every += sum(isinstance(s, Do) for s in inside(unit.body))
        kernels = standing_kernels(scopes.of(unit))
        ported += sum(isinstance(s, Do) for k in kernels for s in inside([k.statement]))
    return Work(ported, (every - ported, 0, 0))
