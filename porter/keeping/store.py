"""The content-addressed store in a model's work folder."""

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from pydantic import TypeAdapter, ValidationError

from acclimate.porter.keeping.atomic import write_atomically

T = TypeVar("T")


class Missing(KeyError):
    """Nothing sound is kept under a key."""


@dataclass(frozen=True, slots=True)
class Store:
    """Blobs and JSON artefacts under `folder`, each named by the sha256 of its bytes."""

    folder: Path

    def put_bytes(self, content: bytes) -> str:
        """Keep `content`; returns its key. Keeping the same bytes twice writes once."""
        key = sha256(content).hexdigest()
        if not self._is_sound(key):
            write_atomically(self._path(key), content)
        return key

    def get_bytes(self, key: str) -> bytes:
        """The bytes behind `key`.

        Raises:
            Missing: nothing is kept under `key`, or what is there was damaged.
        """
        try:
            content = self._path(key).read_bytes()
        except (FileNotFoundError, IsADirectoryError):
            raise Missing(key) from None
        if sha256(content).hexdigest() != key:
            raise Missing(key)
        return content

    def put(self, value: T, kind: type[T]) -> str:
        """Keep `value`, a frozen dataclass, as JSON; returns its key."""
        # json keeps NaN and infinity, which a figure may well be; pydantic would write null.
        content = json.dumps(_adapter(kind).dump_python(value), ensure_ascii=False, sort_keys=True)
        return self.put_bytes(content.encode("utf-8", "surrogatepass"))

    def get(self, key: str, kind: type[T]) -> T:
        """The value of type `kind` behind `key`.

        Raises:
            Missing: as `get_bytes`, or the JSON is not a `kind`.
        """
        content = self.get_bytes(key)
        try:
            return _decoder(kind).decode(content)
        except msgspec.DecodeError:  # NaN or infinity; else it is no `kind`
            pass
        try:
            value: T = _adapter(kind).validate_json(content)
        except ValidationError as error:
            raise Missing(key) from error
        return value

    def _is_sound(self, key: str) -> bool:
        path = self._path(key)
        return path.is_file() and sha256(path.read_bytes()).hexdigest() == key

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    """The reader and writer of one kind of artefact, made once."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    found: TypeAdapter[T] = _ADAPTERS[kind]
    return found


_DECODERS: dict[type[Any], msgspec.json.Decoder[Any]] = {}


def _decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    """A reader several times as fast, of what is JSON to the letter."""
    if kind not in _DECODERS:
        _DECODERS[kind] = msgspec.json.Decoder(kind)
    found: msgspec.json.Decoder[T] = _DECODERS[kind]
    return found
