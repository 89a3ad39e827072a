"""A model and one whole file: no rules, no plan of residency, edits to nothing else."""

from collections.abc import Sequence

from acclimate.porter.asking.question import Finish, Question, Said
from acclimate.porter.author.settings import Settings
from acclimate.porter.author.templates import filled, template
from acclimate.porter.reply.blocks import read_reply
from acclimate.porter.reply.line_screen import line_objections
from acclimate.porter.reply.objection import Reason
from acclimate.porter.reply.placing import between

# What is never built or run, whoever asks: the rest is for the verifier to find.
_NEVER = frozenset({Reason.INCLUDE, Reason.PREPROCESSOR, Reason.CHARACTER})
_WORDS = ("execute_command_line", "call system", "open(", "open (", "inquire", "unlink")


def question_alone(
    source: bytes, settings: Settings, feedback: Sequence[str], sample: int = 0
) -> Question:
    """The bare file and a page of instructions."""
    values = {"source": source.decode("latin-1"), "feedback": _listed(feedback)}
    return _question("alone", values, settings, sample)


def question_repair(
    source: bytes,
    port: bytes,
    findings: Sequence[str],
    settings: Settings,
    feedback: Sequence[str],
) -> Question:
    """A file, a wrong port of it, and what was found, where that is told."""
    values = {
        "source": source.decode("latin-1"),
        "port": port.decode("latin-1"),
        "findings": _listed(findings),
        "feedback": _listed(feedback),
    }
    return _question("repair", values, settings)


def question_explain(source: bytes, line: int, facts: str, settings: Settings) -> Question:
    """A file with line numbers, and one loop of it to be judged; `facts` may be ""."""
    lines = source.decode("latin-1").rstrip("\n").split("\n")
    numbered = "\n".join(f"{number:4} {text}" for number, text in enumerate(lines, 1))
    values = {"source": numbered, "line": str(line), "facts": facts}
    return _question("explain", values, settings)


def _listed(texts: Sequence[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)


def _question(name: str, values: dict[str, str], settings: Settings, sample: int = 0) -> Question:
    return Question(
        system="You port Fortran to GPUs.",
        user=filled(template(name), values),
        model=settings.model,
        max_output=settings.output,
        temperature=settings.temperature,
        seed=settings.seed,
        sample=sample,
    )


def file_alone(said: Said, source: bytes, file: str) -> bytes | str:
    """The file that a reply holds, or why it is not even built."""
    if said.finish is not Finish.STOP:
        return "the reply was cut off"
    fenced = sorted(read_reply(said.text).fenced, key=len)
    lines = fenced[-1] if fenced else ()
    if not lines:
        return "the reply holds no code block"
    old = source.decode("latin-1").split("\n")
    objections = [
        o
        for o in line_objections(between(old, lines, file, 1), old, "free", None)
        if o.reason in _NEVER
    ]
    new = [line for line in lines if line not in old]
    words = [w for w in _WORDS if any(w in line.lower() for line in new)]
    if objections or words:
        return "; ".join([*map(str, objections), *(f"'{w}' may not be used" for w in words)])
    return ("\n".join(lines) + "\n").encode("latin-1", "replace")
