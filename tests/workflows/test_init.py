"""`acclimate init`: a manifest that works, and never over one that is there."""

import json

from acclimate.workflows._exit import Exit


def test_a_manifest_that_is_there_is_not_replaced(acclimate, pond):
    before = (pond / "acclimate.toml").read_bytes()
    run = acclimate("init", pond)
    assert run.returncode == Exit.MISUSED
    assert run.stderr.splitlines() == [
        f"error: {pond}/acclimate.toml exists",
        "hint: pass --force to replace it, --stdout to compare",
    ]
    assert (pond / "acclimate.toml").read_bytes() == before


def test_one_source_file_needs_none(acclimate, pond):
    assert acclimate("init", pond / "src/water.f90").returncode == Exit.MISUSED


def test_standard_output_leaves_the_tree_alone(acclimate, pond):
    before = (pond / "acclimate.toml").read_bytes()
    run = acclimate("init", pond, "--stdout")
    assert run.returncode == Exit.DONE
    assert "[model]" in run.stdout
    assert (pond / "acclimate.toml").read_bytes() == before


def test_what_init_writes_reads_as_what_was_guessed(acclimate, pond):
    (pond / "acclimate.toml").unlink()
    guessed = json.loads(acclimate("analyze", pond, "--json", "-").stdout)
    run = acclimate("init", pond)
    assert (run.returncode, run.stdout) == (Exit.DONE, f"wrote {pond}/acclimate.toml\n")
    written = acclimate("analyze", pond, "--json", "-")
    assert json.loads(written.stdout) == guessed
    assert "guessed" not in written.stderr


def test_force_replaces(acclimate, pond):
    (pond / "acclimate.toml").write_text("[model]\n")
    assert acclimate("init", pond, "--force").returncode == Exit.DONE
    assert "pond.nml" in (pond / "acclimate.toml").read_text()
