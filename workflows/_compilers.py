"""Whether there is a compiler, asked before any work is done."""

import shutil

from acclimate.analysis.problems import Kind, Problem


def require(compiler: str) -> None:
    """Go on only where `compiler` can be started.

    Raises:
        Problem: there is no such program.
    """
    if shutil.which(compiler) is None:
        raise Problem(
            f"cannot start '{compiler}': there is no such program",
            kind=Kind.ENVIRONMENT,
            hint="install it (apt install gfortran), or set [build] compiler in acclimate.toml",
        )
