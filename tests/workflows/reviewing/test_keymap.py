"""Keys of a user's own: said on the screen, obeyed, and refused where one would do two things."""

import pytest
from driving import played, press, text

from acclimate.analysis.problems import Problem
from acclimate.workflows.reviewing.screens.keymap import config_file, keymap

WATER, MAIN = "src/water.f90", "src/pond.f90"


@pytest.fixture
def given(tmp_path):
    """The keymap of a file with this text."""

    def given(content):
        file = tmp_path / "config.toml"
        file.write_text(content)
        return keymap(file)

    return given


@pytest.mark.parametrize(
    "content, line, words",
    [
        ('[review.keys.list]\nopn-the-module = "y"\n', 2, "did you mean 'open-the-module'"),
        ("[review.keys.lst]\n", 1, "did you mean 'list'"),
        ('[review.keys.module]\n\nundo = "y"\n', 3, "unknown key"),
        ("[review.keys.list]\naccept-the-module = 3\n", 2, "must be a string"),
        ('[review.keys.list]\naccept-the-module = "x"\n', 2, "'x' would do two things"),
        ('[review.keys.module]\nreject-the-hunk = "u"\n', 2, "'u' would do two things"),
        ('[review.keys.review]\nredo = "j,R"\n', 2, "'j' would do two things"),
        ('[review.keys.review]\nredo = "?"\n', 2, "'question_mark' would do two things"),
    ],
)
def test_what_is_unknown_or_doubled_is_refused_at_its_line(given, content, line, words):
    with pytest.raises(Problem) as raised:
        given(content)
    assert words in raised.value.render()
    assert f"config.toml:{line}" in raised.value.render()


def test_nothing_is_said_where_there_is_no_file(tmp_path, given, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert keymap(config_file()) == {} == given("[other]\na = 1\n")


def test_keys_may_be_swapped(given):
    said = given('[review.keys.list]\naccept-the-module = "x"\nreject-the-module = "a"\n')
    assert said == {"list.accept-the-module": "x", "list.reject-the-module": "a"}


def test_a_key_of_the_users_own_is_shown_and_obeyed_and_the_old_one_is_not(session, given):
    keys = given('[review.keys.list]\naccept-the-module = "y"\n[review.keys.review]\nundo = "Z"\n')

    async def script(pilot, app):
        assert "y accept" in text(app).splitlines()[-1]
        assert "Z undo" in text(app).splitlines()[-1]
        await press(pilot, "end", "a", "u")
        assert session.history == ()
        await press(pilot, "y")
        assert f"accepted {MAIN}" in text(app)
        await press(pilot, "Z", "question_mark")
        assert "y accept the module" in text(app)

    played(session, script, keys=keys)
    session.reload()
    assert len(session.history) == 2
