"""Tells whether a sentence speaks to people: no code names, no notations of programs.

What somebody wrote himself is repeated between “ and ”; it may be anything.
"""

from __future__ import annotations

import builtins
import re
from functools import cache

from companion import rules
from companion.games import find_game, games
from companion.rules import name_of, tokens_of

QUOTATION = re.compile(r"“[^”]*”")
FLAG = re.compile(r"(?<!\w)--[a-z][a-z-]*(?: [A-Z]+)?|`companion[^`]*`")
"""What sentences for the command line may name."""
ERRORS = {name for name in dir(builtins) if name.endswith(("Error", "Exception", "Warning"))} | {
    name for name in dir(rules) if name.endswith(("Error", "Input", "Action", "Fault"))
} - {"Action"}
CODE = {
    "a name of snake case": re.compile(r"\b[A-Za-z0-9]+_[A-Za-z0-9_]+\b|\b_[a-z]\w*"),
    "a name with a value": re.compile(r"[\w\]]=[\w\"'\[{-]"),
    "a name with dots": re.compile(
        r"(?<![\w./-])[a-z]\w*\.[A-Za-z0-9]\w*(?!\.?[\w/])(?<!\.toml)(?<!\.json)"
    ),
    "a text of Python": re.compile(r"(?<!\w)'[^']*'(?!\w)|\b(?:None(?! yet)|True|False|nan|inf)\b"),
    "a value of Python": re.compile(
        r"\[['\"\d]|[{(]['\"]|\{\}|\[\]|<[\w.]+(?: [^>]*)?>|\b\w+\(\w*\)"
    ),
    "an escape": re.compile(r"\\[nrtux0]"),
    "an error": re.compile(rf"\b(?:{'|'.join(sorted(ERRORS))})\b"),
    "a place to be filled in": re.compile(r"\{\w*\}"),
}  # fmt: skip


def code_names(sentence: str, *, flags: bool = False) -> list[str]:
    """Return what in ``sentence`` is meant for programs; ``flags`` of commands are allowed."""
    text = QUOTATION.sub("“”", sentence)
    if flags:
        text = FLAG.sub("", text)
    found = [f"{what}: {hit[0]}" for what, code in CODE.items() for hit in code.finditer(text)]
    found += [f"a token: {hit[0]}" for hit in _tokens().finditer(text)]
    found += [f"a name inside: {hit[0]}" for hit in _inside().finditer(text)]
    if not sentence.strip() or "\n" in sentence or not sentence.isprintable():
        found.append("no sentence on one line")
    return found


@cache
def _tokens() -> re.Pattern[str]:
    """Tokens that are called otherwise by people and look so: a letter or two, no word."""
    short = {
        token
        for name in games()
        for game in [find_game(name)]
        for token in tokens_of(game, game.setup())
        if name_of(game, token) != token and re.search(r" [A-Z][a-z]?$", token)
    }
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(short)))})(?![\w'-])")


@cache
def _inside() -> re.Pattern[str]:
    """Names of games, options and spots that are no words."""
    names = set()
    for name in games():
        game = find_game(name)
        names |= {option.name for option in game.options} | {name}
        names |= set(game.board(game.setup()).spots)
    odd = {name for name in names if re.search(r"[_.]", name)} | {"victory_honor", "hoplomachus"}
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, sorted(odd)))})(?![\w.])")
