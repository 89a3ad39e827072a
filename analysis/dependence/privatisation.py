"""Work arrays and scratch scalars: may every iteration have its own copy?"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from acclimate.analysis.dependence.affine import Affine, AtomKind
from acclimate.analysis.dependence.arrays import DependenceTest
from acclimate.analysis.dependence.conditions import Literal, facts_of
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.lifetimes import is_private_to
from acclimate.analysis.dependence.records import Access
from acclimate.analysis.dependence.regions import Region


class Copy(StrEnum):
    PRIVATE = "private"
    FIRSTPRIVATE = "firstprivate"


@dataclass(frozen=True, slots=True)
class Privacy:
    """Decides on copies for one loop; `is_set_outside`: may other statements set the variable?"""

    context: Context
    test: DependenceTest
    is_set_outside: Callable[[str], bool]  # by its name

    def copy_of(self, accesses: Sequence[Access]) -> Copy | None:
        """The kind of copy that removes every dependence on the array, liveness aside.

        PRIVATE: whatever an iteration reads it has written before. FIRSTPRIVATE: what it reads
        unwritten is written by no iteration at all, so the value from before the loop is right.
        """
        if not self.can_copy(accesses):
            return None
        exposed = self.exposed(accesses)
        writes = [access for access in accesses if access.write]
        if not exposed:
            return Copy.PRIVATE
        if all(self.is_kept(access, writes) for access in exposed):
            return Copy.FIRSTPRIVATE
        return None

    def can_copy(self, accesses: Sequence[Access]) -> bool:
        """Is it a variable of this procedure alone, which a clause can name?"""
        first = accesses[0]
        if any(a.whole_procedure or a.through_pointer or a.is_target for a in accesses):
            return False
        if "%" in first.key or any(access.key != first.key for access in accesses):
            return False
        return is_private_to(first.symbol, self.context.unit)

    def case_for(self, accesses: Sequence[Access]) -> tuple[Literal, ...]:
        """What makes a copy in each iteration right if it holds, the same in all iterations.

        Nothing where no such case is known, or none is needed.
        """
        needed: dict[Literal, None] = {}
        writes = [access for access in accesses if access.write]
        for read in self.exposed(accesses):
            if not self.is_kept(read, writes):
                if not read.covered_if:
                    return ()
                needed.update(dict.fromkeys(read.covered_if[0]))
        return () if any(need.negated() in needed for need in needed) else tuple(needed)

    def exposed(self, accesses: Sequence[Access]) -> list[Access]:
        """Reads of what the iteration may not have written, but for those of undefined values."""
        return [
            access
            for number, access in enumerate(accesses)
            if access.exposed and not self._would_be_undefined(access, islice(accesses, number))
        ]

    def is_kept(self, read: Access, writes: Sequence[Access]) -> bool:
        """Does none of the writes, all there are, change what the reference reads unwritten?"""
        if any(write.key != read.key for write in writes):
            return False
        near = [write for write in writes if not self._is_beside(read, write)]
        return all(self._needs_one_of(write, read.covered_if) for write in near)

    def _is_beside(self, read: Access, write: Access) -> bool:
        """Is what the reference writes apart from what is read, or written before that anyway?"""
        if all(self.test.apart(region, write) for region in read.left):
            return True
        return any(self.test.inside(write, region) for region in read.settled)

    def _needs_one_of(self, write: Access, cases: Sequence[tuple[Literal, ...]]) -> bool:
        """Is the reference made only where one of the cases holds, each of which covers the read?

        The cases are the same in all iterations: either one holds and the read finds what its own
        iteration wrote, or none does and the reference is made by no iteration.
        """
        known = facts_of(write.conditions)
        return any(all(map(known.imply, case)) for case in cases)

    def _would_be_undefined(self, read: Access, before: Iterable[Access]) -> bool:
        """Can the read meet an unwritten element only by reading an undefined variable?

        A local variable that nothing outside the loop sets is undefined when the loop is first
        entered (Fortran 2018, 19.6.6). If what an iteration reads unwritten is the same set of
        elements in all iterations, the first iteration reads it too, and finds it undefined. A
        conforming program does not do that, so the set is empty. Where it cannot be empty the
        program is wrong, and the loop is judged as it stands.
        """
        symbol = read.symbol
        if self.is_set_outside(symbol.name) or not is_private_to(symbol, self.context.unit):
            return False
        derived = (symbol.type or "").startswith(("type", "class"))
        if symbol.initial is not None or derived or not read.subscripts:
            return False  # may be initialised by default
        if not all(self._is_fixed_condition(c) for c in read.conditions):
            return False
        if not all(self._is_fixed_region(region) for region in read.left):
            return False
        if any(self._is_surely_read(region) for region in read.left):
            return False
        writes = [access for access in before if access.write]
        return all(
            write.key == read.key and self.test.apart(region, write)
            for region in read.left
            for write in writes
        )

    def _is_surely_read(self, region: Region) -> bool:
        at_most = self.context.prover.at_most
        return all(side is None or at_most(side.low, side.high) for side in region)

    def _is_fixed_condition(self, condition: Literal) -> bool:
        return self._is_fixed(condition.form)

    def _is_fixed_region(self, region: Region) -> bool:
        for side in region:
            if side is None:
                continue
            for form in (side.low, side.high):
                if form.coefficient(self.context.values.loop):
                    return False
                hull = self.test.hull(form)
                if hull is None or not (self._is_fixed(hull.low) and self._is_fixed(hull.high)):
                    return False
        return True

    def _is_fixed(self, form: Affine) -> bool:
        """Has the form one value during the whole call of the procedure?"""
        for number, _ in form.terms:
            atom = self.context.values.atom(number)
            if atom.variant:
                return False
            if atom.kind is AtomKind.TERM:
                if not all(self._is_fixed(arg) for arg in atom.args):
                    return False
            elif atom.kind is AtomKind.ENTRY and not self._is_stable(atom.name):
                return False
        return True

    def _is_stable(self, entry: str) -> bool:
        if entry.startswith(("literal:", "parameter:")):
            return True
        return self.context.bounds.is_stable(entry)
