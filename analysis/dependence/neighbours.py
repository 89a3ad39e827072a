"""Which of many places share storage with one? Asked at every write, so not of each of them."""

from collections.abc import Iterable

from acclimate.analysis.dependence.aliasing import Storage, root, view


class Neighbours:
    """Keys of places, found again by the storage they share.

    Within a storage area seen through one view, places overlap where one is part of the other; what
    lies below a place is kept with it, so a structure of a thousand components costs what overlaps,
    not what it has.
    """

    def __init__(self, storage: Storage, keys: Iterable[str] = ()) -> None:
        self._storage = storage
        self._met: dict[str, int] = {}  # key -> how many were met before it
        self._below: dict[str, list[str]] = {}  # a whole -> the keys of its parts
        self._views: dict[str, dict[str, list[str]]] = {}  # area -> view -> keys
        self._touched: dict[str, bool] = {}
        for key in keys:
            self.add(key)

    def add(self, key: str) -> None:
        if key in self._met:
            return
        self._met[key] = len(self._met)
        self._touched.clear()
        for whole in _wholes(key):
            self._below.setdefault(whole, []).append(key)
        self._views.setdefault(root(key), {}).setdefault(view(key), []).append(key)

    def touch(self, key: str) -> bool:
        """Is the place, or one that overlaps it, among them?"""
        found = self._touched.get(key)
        if found is None:
            found = self._touched[key] = key in self._met or bool(self.of(key))
        return found

    def of(self, key: str) -> list[str]:
        """The others that overlap the place, in the order in which they were added."""
        found = [whole for whole in _wholes(key) if whole in self._met]
        found += self._below.get(key, ())
        area, own = root(key), view(key)
        for other, keys in self._views.get(area, {}).items():
            if other != own and self._storage.views_overlap(area, own, other):
                found += keys
        if len(found) > 1:
            found.sort(key=self._met.__getitem__)
        return found


def _wholes(key: str) -> list[str]:
    """What the place is a component of."""
    found = []
    whole, percent, _ = key.rpartition("%")
    while percent:
        found.append(whole)
        whole, percent, _ = whole.rpartition("%")
    return found
