"""What may still make the read of something unwritten harmless: cases that can be told apart."""

from acclimate.analysis.dependence.conditions import facts_of
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.lifetimes import is_private_to
from acclimate.analysis.dependence.records import Access


def with_cases(context: Context, read: Access) -> Access:
    """An exposed read; of a local variable with what was written before, and in which cases all."""
    definitions = context.state.definitions.get(read.key, ())
    if not definitions or not is_private_to(read.symbol, context.unit):
        return read
    region = context.coverage.read(read.subscripts, read.declared)
    known = facts_of(read.conditions)
    return read._replace(
        settled=context.coverage.settled(known, definitions),
        covered_if=context.coverage.covered_if(region, known, definitions),
    )
