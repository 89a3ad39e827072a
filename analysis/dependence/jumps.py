"""Control flow that leaves its place: CYCLE, EXIT, RETURN, STOP and GOTO inside one walk."""

from dataclasses import dataclass, field

from acclimate.analysis.dependence.conditions import holds
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.records import Trait
from acclimate.analysis.dependence.state import State, common_prefix, merged
from acclimate.analysis.dependence.statements import labels
from acclimate.analysis.flow.jump_loop import JumpLoop
from acclimate.analysis.flow.structuring import Structured
from acclimate.analysis.flow.ways import falls_through
from acclimate.analysis.ir import Do, Jump


@dataclass(slots=True, eq=False)
class Frame:
    """A loop the walk is inside of; `left_early` once a jump may leave it."""

    loop: Do | None  # None: the body of a procedure
    left_early: bool = False


@dataclass(frozen=True, slots=True)
class _Waiting:
    state: State
    depth: int


@dataclass(slots=True)
class Jumps:
    """`departures` lists where paths have gone that did not reach the present point."""

    context: Context
    frames: list[Frame]
    labels: frozenset[str]  # all labels in the walked statements
    departures: list[object] = field(default_factory=list)
    returns: list[State] = field(default_factory=list)
    _waiting: dict[str, list[_Waiting]] = field(default_factory=dict)
    _passed: set[str] = field(default_factory=set)
    _refused: bool = False  # a flag says already why jumps cannot be followed

    def jump(self, statement: Jump) -> None:
        match statement.keyword:
            case "cycle" | "exit":
                self._loop_jump(statement)
            case "return":
                self.returns.append(self.context.state.copy())
                self._leave_all(Trait.RETURN, statement, "RETURN")
                if statement.value is not None:
                    self.context.record.flag(
                        Trait.ALTERNATE_RETURN, statement.at, "an alternate RETURN"
                    )
            case "stop" | "error stop":
                self.context.record.flag(Trait.STOP, statement.at, "STOP")
                self.context.state.alive = False
            case "goto" | "arithmetic-if":
                self._goto(statement)
            case _:
                self.context.record.flag(
                    Trait.OPAQUE, statement.at, f"{statement.keyword.upper()} is not followed"
                )

    def begin_anew(self) -> None:
        """Calls may begin at an ENTRY, whatever the statements before it do."""
        self.context.state = State()
        self.context.forget_all(tuple(sorted(self.context.modified)))

    def _leave_all(self, trait: Trait, statement: Jump, name: str) -> None:
        self.context.record.flag(trait, statement.at, f"{name} leaves the loop")
        for frame in self.frames:
            frame.left_early = True
        self.departures.append(self.frames[0])
        self.context.state.alive = False

    def _loop_jump(self, statement: Jump) -> None:
        keyword = statement.keyword.upper()
        frame = self._target(statement.construct)
        if frame is None:
            self._leave_all(Trait.EXIT, statement, keyword)
            return
        position = self.frames.index(frame)
        for inner in self.frames[position + 1 :]:
            inner.left_early = True
        if statement.keyword == "exit":
            frame.left_early = True
            if position == 0:
                self.context.record.flag(
                    Trait.EXIT, statement.at, f"{keyword} leaves the loop early"
                )
        self.departures.append(frame)
        self.context.state.alive = False

    def _target(self, name: str | None) -> Frame | None:
        for frame in reversed(self.frames):
            loop = frame.loop
            if loop is None or isinstance(loop, JumpLoop):
                continue
            if name in (None, loop.name):
                return frame
        return None

    def _goto(self, statement: Jump) -> None:
        goes_on = falls_through(statement)
        several = len(statement.targets) > 1 or goes_on
        for target in statement.targets:
            path = self.context.state.copy()
            if several:
                path.conditions = (*path.conditions, holds(self.context.fresh()))
            self.send(target, path, statement)
        if goes_on:
            state = self.context.state
            state.conditions = (*state.conditions, holds(self.context.fresh()))
        else:
            self.context.state.alive = False

    def send(self, target: str, path: State, statement: Jump) -> None:
        """Let a path go on at a label."""
        for position, frame in enumerate(self.frames):
            if isinstance(frame.loop, JumpLoop) and frame.loop.header == target:
                for inner in self.frames[position + 1 :]:
                    inner.left_early = True
                self.departures.append(frame)
                return
        if target not in self.labels:
            self._leave_by_label(statement, target)
            return
        if target in self._passed and not self._refused:
            self.context.record.flag(
                Trait.JUMP, statement.at, f"GOTO {target} jumps back and makes a hidden loop"
            )
        for frame in self.frames[1:]:
            if frame.loop is not None and target not in labels(frame.loop.body):
                frame.left_early = True
        self.departures.append(target)
        waiting = _Waiting(path, len(self.frames))
        self._waiting.setdefault(target, []).append(waiting)

    def _leave_by_label(self, statement: Jump, target: str) -> None:
        self.context.record.flag(Trait.EXIT, statement.at, f"GOTO {target} leaves the loop")
        for frame in self.frames:
            frame.left_early = True
        self.departures.append(self.frames[0])

    def expect(self, structured: Structured) -> None:
        """Take note of the labels of a block, and of jumps in it that cannot be followed."""
        self.labels |= structured.labels
        refused = structured.refused
        if refused is not None:
            self._refused = True
            self.context.record.flag(Trait.JUMP, refused.at, refused.detail)

    def arrive(self, label: str, start: int) -> None:
        """Merge the paths that wait for a label; `start`: departures before this block."""
        self._passed.add(label)
        waiting = self._waiting.pop(label, [])
        if not waiting:
            return
        context = self.context
        if any(path.depth < len(self.frames) for path in waiting):
            at = context.record.flags[-1].at if context.record.flags else context.unit.at
            context.record.flag(Trait.JUMP, at, f"GOTO {label} jumps into a loop")
        paths = [path.state for path in waiting]
        if context.state.alive:
            paths.append(context.state)
        conditions = paths[0].conditions
        for path in paths[1:]:
            conditions = common_prefix(conditions, path.conditions)
        self.departures[start:] = [d for d in self.departures[start:] if d != label]
        if len(self.departures) > start:
            conditions = (*conditions, holds(context.fresh()))
        context.state = merged(context, paths, conditions)

    def finish(self) -> None:
        """Paths to labels the walk never met afterwards are jumps it cannot follow."""
        for label in () if self._refused else self._waiting:
            self.context.record.flag(
                Trait.JUMP, self.context.unit.at, f"GOTO {label} could not be followed"
            )
