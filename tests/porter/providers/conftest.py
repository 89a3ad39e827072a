"""A server on loopback, and ways in which it may behave."""

from collections.abc import Iterator

import pytest
from chat_server import Behaviour, Server, good, serving, silent, slow


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as state:
        yield state


@pytest.fixture
def behaviours() -> dict[str, Behaviour]:
    return {"good": good, "slow": slow, "silent": silent}
