"""Rooms outside ``companion/games`` name no game, no verb, no seat, no option and no token of one:
what they need comes from the contract."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import games
from tests.checks.loops import some

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "companion" / "games"
ROOMS = [
    *(folder for folder in sorted((ROOT / "companion").iterdir()) if folder.is_dir()),
    *(ROOT / name for name in ("vision", "hardware", "web")),
]
ROOMS = [room for room in ROOMS if room != GAMES and room.name not in ("__pycache__", "languages")]
CONTRACT_VERBS = {"move", "place"}
"""What a hand does, in every game."""
OWN_VERBS = {"ruled", "unknown"}
"""What the table decided, and what a reader cannot tell: no actions of a game."""
CLOCKS_OWN = ROOT / "companion" / "rules" / "clock.py"
"""What a clock says is the clock's, not a game's."""
TAKEN_APART = re.compile(
    r"\btokens?\??\.(split|partition|rpartition|startsWith|endsWith|startswith|endswith|"
    r"removesuffix|removeprefix)\b"
)


def bare(tree: ast.AST) -> ast.AST:
    """Return ``tree`` without its docstrings, which may give examples."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            kept = [
                child
                for child in body
                if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant))
            ]
            node.body = kept or [ast.Pass()]  # type: ignore[attr-defined]
    return tree


def words_in(node: ast.AST) -> Iterator[str]:
    """Yield every text that is written out in ``node``."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def named_games(text: str) -> set[str]:
    words = set(re.findall(r"[a-z]+", text.lower().replace("_", " ")))
    return {game for game in games() if set(game.split("_")) <= words}


def is_of(node: ast.AST, *names: str) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr in names) or (
        isinstance(node, ast.Name) and node.id in names
    )


def compared(tree: ast.AST, *names: str) -> set[str]:
    """Return the texts with which what is called by ``names`` is compared."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(is_of(side, *names) for side in sides):
                found |= {text for side in sides for text in words_in(side)}
    return found


def verbs(tree: ast.AST) -> set[str]:
    """Return the verbs that actions are compared with or made of."""
    found = compared(tree, "verb")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and is_of(node.func, "Action") and node.args:
            found |= set(words_in(node.args[0]))
    return found


def chosen_options(tree: ast.AST) -> set[str]:
    """Return the options that are looked up by name in a set-up."""
    return {
        text
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and is_of(node.value, "setup", "options")
        for text in words_in(node.slice)
    }


def sources(room: Path) -> list[Path]:
    # The skeleton is a game.
    found = sorted(path for path in room.rglob("*.py") if "skeleton" not in path.parts)
    assert found, room
    return found


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_no_game_is_named(room: Path) -> None:
    for path in some(sources(room)):
        tree = bare(ast.parse(path.read_text(encoding="utf-8")))
        assert named_games(ast.unparse(tree)) == set(), path


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_no_verb_of_a_game_is_named(room: Path) -> None:
    for path in some(sources(room)):
        if path != CLOCKS_OWN:
            found = verbs(bare(ast.parse(path.read_text(encoding="utf-8"))))
            assert found <= CONTRACT_VERBS | OWN_VERBS, path


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_no_seat_and_no_option_of_a_game_is_named(room: Path) -> None:
    for path in some(sources(room)):
        tree = bare(ast.parse(path.read_text(encoding="utf-8")))
        assert compared(tree, "seat", "owner", "to_move", "mover") <= {""}, path
        assert chosen_options(tree) == set(), path


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_no_token_is_taken_apart(room: Path) -> None:
    for path in some(sources(room)):
        assert not TAKEN_APART.search(path.read_text(encoding="utf-8")), path


def test_the_pages_and_their_scripts_name_no_game_and_take_no_token_apart() -> None:
    found = [
        path for ending in ("js", "html", "css") for path in (ROOT / "web").rglob(f"*.{ending}")
    ]
    assert len(found) > 10
    for path in found:
        text = path.read_text(encoding="utf-8")
        assert named_games(text) == set(), path
        assert not TAKEN_APART.search(text), path
        assert not re.search(r"verb\s*[!=]==?\s*[\"']", text), path


def test_the_measuring_rods_are_not_blind() -> None:
    tree = ast.parse(
        "def victory(honor):\n"
        "    if honor.verb in ('pass', 'move') or seat == 'red':\n"
        "        return Action('end'), setup['dogleg']\n"
    )
    assert named_games(ast.unparse(tree)) == {"victory_honor"}
    assert verbs(tree) == {"pass", "move", "end"}
    assert compared(tree, "seat") == {"red"}
    assert chosen_options(tree) == {"dogleg"}
    assert TAKEN_APART.search("token.split(' ')[0]")
    assert TAKEN_APART.search('element.token?.split(" ")')
