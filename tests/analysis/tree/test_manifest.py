"""Manifests: what is refused and how it is said, what is guessed, and that writing reads back."""

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.configurations import Configuration
from acclimate.analysis.tree.manifest import (
    Manifest,
    guess_manifest,
    load_manifest,
    render_manifest,
)
from acclimate.analysis.tree.run_spec import FurtherRun, RunSpec, StepSpec

PROGRAM = "program p\nprint *, 1\nend program\n"


def tree(root: Path, toml: str | None = None, **files: str) -> Path:
    (root / "src").mkdir()
    (root / "src" / "a.f90").write_text(PROGRAM)
    for name, text in files.items():
        (root / name).write_text(text)
    if toml is not None:
        (root / "acclimate.toml").write_text(toml)
    return root


@pytest.mark.parametrize(
    ("toml", "line", "what", "hint"),
    [
        ("[model\n", 1, "not valid TOML", ""),
        ("[run]\n", 1, "acclimate.toml has no [model] table", ""),
        ('[model]\nname = "x"\nsource = ["src/*.f90"]\n', 3, "unknown key 'model.source'",
         "did you mean 'sources'?"),
        ("[model]\nsources = 3\n", 2, "'model.sources' must be a list of strings", ""),
        ("[model]\nsources = []\n", 2, "'model.sources' is missing or empty",
         'e.g. ["src/*.f90"].'),
        ('[model]\nsources = ["src/*.f77"]\n', 2, "'src/*.f77' matches no file", ""),
        ('[model]\nsources = ["../*.f90"]\n', 2, "'../*.f90' leads out of the model's tree",
         "use relative paths."),
        ('[model]\nsources = ["/etc/*"]\n', 2, "'/etc/*' leads out of the model's tree",
         "use relative paths."),
        ('[model]\nsources = ["src/*.f90"]\ninclude_dirs = ["inc"]\n', 3,
         "include folder 'inc' does not exist", ""),
        ('[model]\nsources = ["src/*.f90"]\n[run]\nnamelists = ["run.nml"]\n', 4,
         "namelist file 'run.nml' does not exist", ""),
        ('[model]\nsources = ["src/*.f90"]\n[run]\ntime_limit = -1\n', 4,
         "'run.time_limit' must be a positive number", ""),
        ('[model]\nsources = ["src/*.f90"]\n[run]\nstdin = "run.nml"\n', 4,
         "'run.nml' is listed neither in 'run.namelists' nor in 'run.files'", ""),
        ('[model]\nsources = ["src/*.f90"]\n[run.short."x.nml".run]\nn = 1\n', 3,
         "'x.nml' is not listed in 'run.namelists'", ""),
        ('[model]\nsources = ["src/*.f90"]\n[[runs]]\nname = ""\n', 4,
         "a further run has no name", 'e.g. name = "four ranks".'),
        ('[model]\nsources = ["src/*.f90"]\n[[runs]]\nname = "a"\n', 4,
         "the further run 'a' is that of [run]", 'give it [runs.changes."FILE".GROUP].'),
        ('[model]\nsources = ["src/*.f90"]\n[[runs]]\nname = "a"\narguments = ["1"]\n'
         '[[runs]]\nname = "a"\narguments = ["2"]\n', 7,
         "two further runs are called 'a'", "give each [[runs]] a name of its own."),
        ('[model]\nsources = ["src/*.f90"]\n[[runs]]\nname = "a"\nlaunch = ["mpirun"]\n', 5,
         "unknown key 'runs.launch'", "did you mean 'launcher'?"),
        ('[model]\nsources = ["src/*.f90"]\n[[runs]]\nname = "a"\n'
         '[runs.changes."x.nml".run]\nn = 1\n', 5,
         "'x.nml' is not listed in 'run.namelists'", ""),
        ('[model]\nsources = ["src/*.f90"]\n[steps]\ngroup = "run"\n', 3,
         "'steps.namelist' is missing",
         "name namelist, group and variable, or give 'count', the number of steps of a run."),
        ('[model]\nsources = ["src/*.f90"]\n[steps]\ncount = 2.5\n', 4,
         "'steps.count' must be a positive whole number", ""),
        ('[model]\nsources = ["src/*.f90"]\n[steps]\ncount = true\n', 4,
         "'steps.count' must be a positive whole number", ""),
        ('[model]\nsources = ["src/*.f90"]\n[steps]\ncount = 0\n', 4,
         "'steps.count' must be a positive whole number", ""),
        ('[model]\nsources = ["src/*.f90"]\n[steps]\ncount = 2\nvariable = "n"\n', 5,
         "'steps.count' stands alone", "remove 'variable' or 'count'."),
        ('[model]\nsources = ["src/*.f90"]\nd_lines = "yes"\n', 3,
         "'model.d_lines' must be \"comment\" or \"code\"", ""),
    ],
)  # fmt: skip
def test_a_bad_manifest_says_where_and_what(tmp_path, toml, line, what, hint):
    tree(tmp_path, toml)
    with pytest.raises(Problem) as caught:
        load_manifest(tmp_path)
    assert what in caught.value.what
    assert caught.value.hint == hint
    assert caught.value.where is not None
    assert (caught.value.where.path.name, caught.value.where.line) == ("acclimate.toml", line)


def test_a_manifest_that_is_not_utf_8_is_refused(tmp_path):
    tree(tmp_path)
    (tmp_path / "acclimate.toml").write_bytes(b"[model]\nname = '\xfc'\n")
    with pytest.raises(Problem, match="not UTF-8") as caught:
        load_manifest(tmp_path)
    assert caught.value.where is not None and caught.value.where.line == 2


@pytest.mark.parametrize("name", ["missing", "notes.txt"])
def test_a_path_that_is_no_model_is_refused(tmp_path, name):
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(Problem, match=name):
        load_manifest(tmp_path / name)


def test_a_tree_without_fortran_is_refused(tmp_path):
    with pytest.raises(Problem, match="no Fortran source"):
        load_manifest(tmp_path)


def test_links_out_of_the_tree_and_in_circles_are_not_followed(tmp_path):
    model = tmp_path / "model"
    model.mkdir()
    tree(model)
    (tmp_path / "other.f90").write_text(PROGRAM)
    (model / "other.f90").symlink_to(tmp_path / "other.f90")
    (model / "loop").symlink_to(model)
    (model / "up").symlink_to(tmp_path)
    assert guess_manifest(model).sources == ("src/a.f90",)
    (model / "acclimate.toml").write_text('[model]\nsources = ["**/*.f90"]\n')
    assert load_manifest(model).sources == ("src/a.f90",)


def test_the_sample_model_is_read():
    manifest = load_manifest(Path(__file__).parents[3] / "sample_model")
    assert manifest.guessed == ()
    assert len(manifest.sources) >= 12
    assert manifest.run.namelists == ("namelist.nml",)
    assert manifest.steps is not None


def test_a_single_file_is_a_whole_program(tmp_path):
    (tmp_path / "a.F90").write_text(PROGRAM)
    (tmp_path / "b.f90").write_text(PROGRAM)
    manifest = load_manifest(tmp_path / "a.F90")
    assert (manifest.sources, manifest.run.outputs) == (("a.F90",), ())
    assert manifest.form("a.F90") == "free"
    assert manifest.is_preprocessed("a.F90")
    assert manifest.guessed == (
        "'a.F90' is the whole model: built with gfortran, run without arguments.",
    )


def test_guesses_are_told(tmp_path):
    tree(tmp_path)
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "x.inc").write_text("")
    (tmp_path / "run.nml").write_text("&run n=1 /\n")
    (tmp_path / "old.f").write_text(
        "module m\n  real :: x\n  contains\n  subroutine s\n  end\nend\n"
    )
    (tmp_path / "copy.f90").write_text("module m\nend module\n")
    (tmp_path / "third.f90").write_text("module m\nend module\n")
    manifest = guess_manifest(tmp_path)
    assert manifest.sources == ("copy.f90", "old.f", "src/a.f90", "third.f90")
    assert manifest.include_dirs == ("inc",)
    assert manifest.run.namelists == ("run.nml",)
    assert manifest.form("old.f") == "free"
    told = "\n".join(manifest.guessed)
    assert "module 'm' is defined in copy.f90, old.f, third.f90" in told
    assert "form of 'old.f': free" in told


NAMES = st.text(alphabet="abc_", min_size=1, max_size=5)
VALUES = st.one_of(
    st.booleans(), st.integers(-99, 99), st.floats(-9, 9), st.text(max_size=8),
    st.lists(st.integers(0, 9), max_size=3).map(tuple),
)  # fmt: skip


@given(
    name=st.text(max_size=8),
    defines=st.lists(st.text(max_size=6), max_size=2).map(tuple),
    flags=st.lists(st.text(max_size=6), max_size=2).map(tuple),
    short=st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES, min_size=1), max_size=2),
    steps=st.sampled_from([None, StepSpec("run.nml", "run", "n"), StepSpec(count=7)]),
    others=st.lists(
        st.builds(
            Configuration, NAMES, st.lists(st.text(max_size=6), min_size=1, max_size=2).map(tuple)
        ),
        max_size=2,
        unique_by=lambda configuration: configuration.name,
    ).map(tuple),
    budget=st.sampled_from([None, 0.5, 900.0]),
    further=st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES, min_size=1), min_size=1),
    launcher=st.sampled_from([(), ("mpirun", "-n", "2")]),
)
def test_a_manifest_reads_back_as_it_was_written(
    tmp_path_factory, name, defines, flags, short, steps, others, budget, further, launcher
):
    root = tree(tmp_path_factory.mktemp("m"), **{"run.nml": "&run /\n"}).resolve()
    run = RunSpec(
        namelists=("run.nml",),
        stdin="run.nml",
        time_limit=2.5,
        short={"run.nml": short} if short else {},
    )
    other = dataclasses.replace(run, short={"run.nml": further}, launcher=launcher)
    manifest = Manifest(
        root=root,
        name=name,
        sources=("src/a.f90",),
        defines=defines,
        flags=flags,
        run=run,
        further_runs=(FurtherRun("as it may be", other), FurtherRun("two", other)),
        steps=steps,
        configurations=others,
        budget=budget,
    )
    (root / "acclimate.toml").write_text(render_manifest(manifest))
    assert dataclasses.asdict(load_manifest(root)) == dataclasses.asdict(manifest)


@pytest.mark.parametrize(
    ("manifest", "file", "form"),
    [
        ({}, "a.f", "fixed"),
        ({}, "a.F", "fixed"),
        ({}, "a.f90", "free"),
        ({"flags": ("-ffree-form",)}, "a.f", "free"),
        ({"flags": ("-ffixed-form",)}, "a.f90", "fixed"),
        ({"free": ("old/*",)}, "old/a.f", "free"),
        ({"fixed": ("*.f90",), "flags": ("-ffree-form",)}, "a.f90", "fixed"),
    ],
)
def test_form(manifest, file, form):
    assert Manifest(root=Path(), name="m", sources=(file,), **manifest).form(file) == form
