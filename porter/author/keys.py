"""The key of an endpoint: from the environment or the system's keyring, from nowhere else."""

import os
from importlib import import_module
from importlib.util import find_spec
from urllib.parse import urlsplit

VARIABLE = "ACCLIMATE_API_KEY"


def endpoint_key(endpoint: str) -> str:
    """The key for one endpoint, "" where none is kept.

    Keys of other tools are not looked at: they were not given for this endpoint.
    """
    given = os.environ.get(VARIABLE, "")
    if given or find_spec("keyring") is None:
        return given
    keyring = import_module("keyring")
    errors = import_module("keyring.errors")
    try:
        kept = keyring.get_password("acclimate", urlsplit(endpoint).netloc)
    except errors.KeyringError:
        return ""
    return kept or ""
