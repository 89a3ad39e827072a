"""A plan of prepared texts, told in the lines of the original."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from acclimate.analysis.source import Edit, Lines
from acclimate.porter.agent.artefacts import Answer, Consultation, Planned
from acclimate.porter.agent.blame import LineMap
from acclimate.porter.rewrite import Refusal, Rewrite


def differences(before: Sequence[bytes], after: Sequence[bytes], file: str) -> tuple[Edit, ...]:
    """The edits that make the lines `after` of the lines `before`."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return tuple(
        Edit(file, a + 1, b, tuple(line.decode("latin-1") for line in after[c:d]))
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    )


def on_original(
    planned: Planned,
    answers: Mapping[str, Answer],
    consulted: Mapping[str, Consultation],
    texts: Mapping[str, bytes],
) -> tuple[Planned, dict[str, Answer]]:
    """The same plan and answers, with the original's lines and the models' own edits in them."""
    lines = _Lines(consulted, texts)
    refusals = {u: tuple(map(lines.refusal, found)) for u, found in planned.refusals.items()}
    told = {unit: lines.answer(answer, consulted.get(unit)) for unit, answer in answers.items()}
    for unit, said in consulted.items():
        if said.edits and unit not in told:
            told[unit] = Answer(rewrite=_own(unit, said, refusals.get(unit, ())))
    return replace(planned, refusals=refusals), told


class _Lines:
    """Lines of prepared texts to lines of the original."""

    def __init__(self, consulted: Mapping[str, Consultation], texts: Mapping[str, bytes]) -> None:
        edits = [edit for said in consulted.values() for edit in said.edits]
        files = {edit.file for edit in edits}
        self._maps = {f: LineMap(texts[f], [e for e in edits if e.file == f]) for f in files}

    def lines(self, at: Lines) -> Lines:
        line_map = self._maps.get(at.file)
        if line_map is None:
            return at
        first = line_map.original(at.first)
        return Lines(at.file, first, max(first, line_map.original(at.last)))

    def refusal(self, refusal: Refusal) -> Refusal:
        return replace(refusal, at=self.lines(refusal.at))

    def answer(self, answer: Answer, said: Consultation | None) -> Answer:
        rewrite = answer.rewrite
        if rewrite is None:
            return Answer(refusal=self.refusal(answer.refusal) if answer.refusal else None)
        own = said.edits if said else ()
        return Answer(
            rewrite=replace(
                rewrite,
                author=f"{rewrite.author} and {said.model}" if said and own else rewrite.author,
                edits=tuple(map(self._edit, rewrite.edits)) + own,
                refusals=tuple(map(self.refusal, rewrite.refusals)),
                offloaded=tuple(map(self.lines, rewrite.offloaded)),
            )
        )

    def _edit(self, edit: Edit) -> Edit:
        if edit.file not in self._maps:
            return edit
        if edit.inserts:
            first = self._maps[edit.file].original(edit.first)
            return replace(edit, first=first, last=first - 1)
        at = self.lines(Lines(edit.file, edit.first, edit.last))
        return replace(edit, first=at.first, last=at.last)


def _own(unit: str, said: Consultation, refusals: tuple[Refusal, ...]) -> Rewrite:
    """A unit in which all is the model's: its kernels are where it wrote them."""
    kernels = tuple(
        Lines(edit.file, edit.first, edit.first)
        for edit in said.edits
        for line in edit.text
        if "!$acc parallel loop" in line.lower()
    )
    return Rewrite(unit, said.model, said.edits, refusals, kernels)
