"""What downloads are made of: archives, names of files, settings told again."""

import io
import tomllib
import zipfile

import pytest

from leaderboard.settings_told import WITHHELD, public_bot, public_settings, written
from leaderboard.web.paths import file_name
from leaderboard.web.zip_stream import LIST_BYTES, zipped


@pytest.mark.parametrize("count", [0, 1, 3, 70_000])
def test_archives_are_read_by_others(count: int) -> None:
    """Also with more files than the old form of an archive can have, and a list that does not stay in memory."""
    files = [(f"r1-classic-4p-{number:05}.cqr", b"x" * (number % 40)) for number in range(count)]
    with zipfile.ZipFile(io.BytesIO(b"".join(zipped(iter(files))))) as archive:
        assert [one.filename for one in archive.infolist()] == [name for name, _ in files]
        assert archive.testzip() is None
        assert not files or archive.read(files[-1][0]) == files[-1][1]
    assert count < 70_000 or sum(len(name) for name, _ in files) > LIST_BYTES


def test_the_same_files_make_the_same_archive() -> None:
    files = [("a", b"1"), ("b", b"2")]
    assert b"".join(zipped(files)) == b"".join(zipped(files))


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("r1-classic-4p-0003-r2", "r1-classic-4p-0003-r2"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("..", "file"),
        ("-rf", "rf"),
        ("Ünï", "_n_"),
        ('a"b\n', "a_b_"),
    ],
)
def test_names_of_files_are_harmless(name: str, file: str) -> None:
    assert file_name(name) == file


def test_settings_are_written_as_toml() -> None:
    settings = {
        "name": 'a "quoted" \\ name',
        "odd key": True,
        "list": [1, 2.5, "x"],
        "nothing": [],
        "stop": {"half_width": 0.02},
        "variants": [{"name": "classic", "options": {"rounds": 6}}, {"name": "summary"}],
    }
    assert tomllib.loads(written(settings)) == settings


def test_a_seed_is_withheld_until_the_end() -> None:
    assert public_settings("seed = 5", is_over=False) == {"seed": WITHHELD}
    assert public_settings("seed = 5", is_over=True) == {"seed": 5}
    assert public_settings("this is no TOML", is_over=True) == {}


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("cmd:./bot --token hush", "cmd:…"),
        ("/home/ann/mine.py:Mine", "mine.py:Mine"),
        ("bots/mine.py:Mine", "mine.py:Mine"),
        ("random", "random"),
    ],
)
def test_how_bots_are_started_is_not_told(bot: str, told: str) -> None:
    assert public_bot(bot) == told
