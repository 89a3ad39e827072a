"""The import contracts of pyproject.toml catch what they are there to catch."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

RIGHT = {
    "workflows/migrate.py": "import acclimate.porter.plan\nimport acclimate.verifier.judge\n",
    "porter/plan.py": "import acclimate.analysis.graph.graphs\nimport acclimate.prompts\n",
    "porter/agent/graph.py": "import langgraph.graph\n",
    "porter/providers/hosted.py": "import openai\n",
    "porter/rules/fission.py": "import acclimate.analysis.graph.graphs\n",
    "porter/rules/interchange.py": "",
    "workflows/reviewing/screens/app.py": "import textual.app\n",
    "verifier/judge.py": "import acclimate.analysis.graph.graphs\n",
    "analysis/graph/graphs.py": "import networkx\n",
    "analysis/flow/natural_loops.py": "import networkx\n",
    "analysis/reader/trees.py": "import tree_sitter\nimport tree_sitter_fortran\n",
}

WRONG = {
    "Rooms import only the rooms below them": (
        "analysis/graph/graphs.py",
        "acclimate.verifier.judge",
    ),
    "Only the porter reads prompts": ("workflows/migrate.py", "acclimate.prompts"),
    "Prompts import nothing": ("prompts/cards.py", "acclimate.analysis.graph.graphs"),
    "Rules do not know each other": (
        "porter/rules/fission.py",
        "acclimate.porter.rules.interchange",
    ),
    "langgraph enters through porter.agent": ("porter/plan.py", "langgraph"),
    "openai enters through porter.providers": ("workflows/migrate.py", "openai"),
    "textual enters through workflows.reviewing.screens": ("workflows/migrate.py", "textual"),
    "networkx enters through analysis.graph.graphs and analysis.flow.natural_loops": (
        "porter/plan.py",
        "networkx",
    ),
    "The porter plans from the text upwards": (
        "porter/text/margins.py",
        "acclimate.porter.kernels",
    ),
    "The verifier judges from the source upwards": (
        "verifier/limits.py",
        "acclimate.verifier.subject",
    ),
    "tree-sitter enters through analysis.reader": ("verifier/judge.py", "tree_sitter"),
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small `acclimate` under the project's own contracts."""
    settings = (ROOT / "pyproject.toml").read_text()
    (tmp_path / "pyproject.toml").write_text(settings)
    for module in {"acclimate.prompts", *re.findall(r"acclimate(?:\.\w+)+(?=[\" ])", settings)}:
        folder = tmp_path.joinpath(*module.split("."))
        if ROOT.joinpath(*module.split(".")[1:]).is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "__init__.py").touch()
        else:
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.with_suffix(".py").touch()
    for name, text in RIGHT.items():
        write(tmp_path, name, text)
    return tmp_path


def write(tree: Path, name: str, text: str) -> None:
    """Add `text` to a module, which is made if it is new."""
    path = tree / "acclimate" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as module:
        module.write(text)


def contracts(tree: Path) -> dict[str, str]:
    """KEPT or BROKEN for each contract, by its name."""
    run = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"],
        cwd=tree,
        env={"PYTHONPATH": str(tree), "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    return dict(re.findall(r"^(.+) (KEPT|BROKEN)\b", run.stdout, re.MULTILINE))


def test_each_contract_is_broken_by_its_wrong_import(tree):
    for name, module in WRONG.values():
        write(tree, name, f"import {module}\n")
    assert contracts(tree) == dict.fromkeys(WRONG, "BROKEN")


def test_one_wrong_import_leaves_the_other_contracts_kept(tree):
    contract = "openai enters through porter.providers"
    name, module = WRONG[contract]
    write(tree, name, f"import {module}\n")
    assert contracts(tree) == dict.fromkeys(WRONG, "KEPT") | {contract: "BROKEN"}


def test_imports_downwards_and_through_the_doors_keep_every_contract(tree):
    assert contracts(tree) == dict.fromkeys(WRONG, "KEPT")
