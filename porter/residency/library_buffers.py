"""What well-known output libraries do to the arrays they are given."""

_READ_ONLY = ("nf90_put_", "nf_put_", "nfmpi_put_", "nf90mpi_put_", "h5dwrite", "h5awrite")
_FILLED = ("nf90_get_", "nf_get_", "nfmpi_get_", "nf90mpi_get_", "h5dread", "h5aread")


def reads_buffers(name: str) -> bool:
    """The procedure may read the arrays passed to it."""
    return not name.startswith(_FILLED)


def writes_buffers(name: str) -> bool:
    """The procedure may write the arrays passed to it."""
    return not name.startswith(_READ_ONLY)
