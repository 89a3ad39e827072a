"""What a job counts as the files of its model."""

from pathlib import Path

from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.agent.choice import Choice
from acclimate.porter.agent.job import Job, open_job
from acclimate.porter.agent.places import InFolder
from acclimate.porter.engine import propose


def opened(root: Path, path: Path) -> Job:
    work = root / ".acclimate"
    return open_job(
        load_manifest(path),
        whole_tree=False,
        choice=Choice(author="rules"),
        work=work,
        machine="this",
        workers=1,
        author=propose,
        tell=lambda step: None,
        place=InFolder(root / "port", root, work, whole_tree=False),
        publish=lambda outcome: {},
    )


def test_included_files_travel_with_one_source_file(tmp_path: Path) -> None:
    texts = {
        "main.F90": "#include \"top.h\"\ninclude 'body.inc'\nend\n",
        "top.h": "#define N 3\n",
        "body.inc": "include 'parts/deep.inc'\n",
        "parts/deep.inc": "integer :: i\n",
        "stranger.inc": "integer :: j\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    job = opened(tmp_path, tmp_path / "main.F90")
    assert sorted(job.files) == ["body.inc", "main.F90", "parts/deep.inc", "top.h"]


def test_inputs_of_further_runs_are_files_of_the_model(tmp_path: Path) -> None:
    (tmp_path / "main.f90").write_text("end\n")
    (tmp_path / "other.txt").write_text("1")
    further = '[[runs]]\nname = "other"\nfiles = ["other.txt"]\n'
    (tmp_path / "acclimate.toml").write_text(f'[model]\nsources = ["main.f90"]\n{further}')
    first = opened(tmp_path, tmp_path)
    assert sorted(first.files) == ["main.f90", "other.txt"]
    (tmp_path / "other.txt").write_text("2")
    assert opened(tmp_path, tmp_path).key != first.key
