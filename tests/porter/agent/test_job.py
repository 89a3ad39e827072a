"""What a job counts as the files of its model."""

from pathlib import Path

from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.agent.choice import Choice
from acclimate.porter.agent.job import open_job
from acclimate.porter.agent.places import InFolder
from acclimate.porter.engine import propose


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
    work = tmp_path / ".acclimate"
    job = open_job(
        load_manifest(tmp_path / "main.F90"),
        whole_tree=False,
        choice=Choice(author="rules"),
        work=work,
        machine="this",
        workers=1,
        author=propose,
        tell=lambda step: None,
        place=InFolder(tmp_path / "port", tmp_path, work, whole_tree=False),
        publish=lambda outcome: {},
    )
    assert sorted(job.files) == ["body.inc", "main.F90", "parts/deep.inc", "top.h"]
