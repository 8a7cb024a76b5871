"""``companion replay --why``: a misread is looked into."""

from __future__ import annotations

import json
import re

import pytest

from companion.cli import main
from tests.checks.recordings import recording

FOLDER = str(recording("victorus-1"))
WHY = ("replay", FOLDER, "--why")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page of one picture in which a move was made."""
    file = tmp_path_factory.mktemp("why") / "why.html"
    assert main([*WHY, "0003.jpg", "--html", str(file)]) == 0
    return file.read_text(encoding="utf-8")


def test_a_picture_is_told_with_its_spots_and_explanations(capsys):
    assert main([*WHY, "0003"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("0003.jpg: ")
    assert "believed" in text
    assert "prior" in text


def test_the_same_comes_as_json(capsys):
    assert main([*WHY, "0003.jpg", "--json"]) == 0
    [line] = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert told["frame"] == "0003.jpg"
    assert told["spots"][0]["candidates"][0]["log_likelihood"] <= 0
    assert len(told["searches"][0]["hypotheses"]) > 1
    assert all(len(point) == 2 for outline in told["board"] for point in outline)


def test_the_page_needs_no_other_file(page):
    assert "data:image/jpeg;base64," in page
    assert re.findall(r'(?:src|href)="(?!data:)([^"]*)"', page) == []
    assert "<script" not in page
    assert 'class="looked changed' in page
    assert 'class="weight"' in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*WHY, "nowhere.jpg"), "there is no picture nowhere.jpg"),
        (("replay", FOLDER, "--html", "why.html"), "--html goes with --why FRAME"),
    ],
    ids=["a picture that is not there", "a page of no picture"],
)
def test_what_cannot_be_told_is_said_in_one_sentence(capsys, arguments, words):
    assert main([*arguments]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert "Traceback" not in said.err
