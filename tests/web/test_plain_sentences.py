"""No page shows people what is meant for programs: no sentence of the source in any language, and
none that a game says of what is played, legal or not, names anything as the code does."""

from __future__ import annotations

import random
import string
from contextlib import suppress
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.games import find_game, games
from companion.referee.export import field_name
from companion.rules import (
    Action,
    BadInput,
    OneLineNotation,
    Text,
    called,
    entries_of,
    picture_of,
    situation_of,
    tell,
    tokens_of,
)
from tests.checks.plain_words import code_names
from web.language import languages, translator
from web.wording import phrase

ROOT = Path(__file__).parents[2]
PLIES, CHEATS = 30, 20
SHOWN = {"night": "22:00-07:00"}
COMMANDS = ("<b", "companion ", "--", "pip install", "apt ")
"""What a sentence for whoever runs the table may tell him to type; one has words in bold."""


def filled(sentence: str) -> str:
    """Return the sentence with a word for each of its names."""
    names = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
    return sentence.format_map({name: SHOWN.get(name, "h2") for name in names})


def sentences(language: str) -> list[str]:
    other = "it" if language == "en" else language
    with (ROOT / f"companion/languages/{other}.po").open("rb") as file:
        catalog = read_po(file, locale=other)
    told = [entry.id if language == "en" else entry.string for entry in catalog if entry.id]
    return [one for text in told for one in ([text] if isinstance(text, str) else text)]


@pytest.mark.parametrize("language", languages())
def test_every_sentence_of_the_source_is_for_people(language: str) -> None:
    found = {}
    for sentence in sentences(language):
        plain = sentence if "%(" in sentence else filled(sentence)
        odd = code_names(" ".join(plain.replace("%(", "{").split()), flags=True)
        odd = [one for one in odd if not one.startswith("a place to be filled in")]
        if odd and not any(command in sentence for command in COMMANDS):
            found[sentence] = odd
    assert found == {}


def told(text: str) -> list[str]:
    """Return ``text`` in every language."""
    return [tell(text, translator(language)) for language in languages()]


def cheats(game, setup, state, chance):
    """Yield actions that can be written down and are mostly refused."""
    spots, tokens = sorted(game.board(setup).spots), tokens_of(game, setup)
    words = [*game.words, "dance"]
    for _ in range(CHEATS):
        spot, other, token = chance.choice(spots), chance.choice(spots), chance.choice(tokens)
        action = chance.choice(
            [
                Action("move", spot, other),
                Action("move", spot, other, chance.choice(("", "Q", token))),
                Action("place", None, spot, chance.choice(("", token))),
                Action(chance.choice(words), detail=chance.choice(("", *game.seats, token))),
            ]
        )
        with suppress(BadInput):
            yield game.parse(setup, game.format(action))


def everything_said(game, setup, state, chance):
    """Yield every sentence that the pages show of ``state``, and of what is tried in it."""
    yield from situation_of(game, state)
    for card in game.scorecards(state):
        yield card.status
        for field in card.fields:
            yield field_name(game, field)
            yield field.value
            yield from map(game.spoken, field.tokens)
    if (outcome := game.outcome(state)) is not None:
        yield outcome.reason
    yield from (problem.reason for problem in game.check(state))
    yield from map(game.spoken, game.expect(state).values())
    yield from map(called, game.board(setup).spots)
    legal = list(game.legal(state))
    for action in [*chance.sample(legal, min(6, len(legal))), *game.claims(state)[:6]]:
        yield game.judge(state, action).reason
        yield phrase(game, state, action)
    for action in cheats(game, setup, state, chance):
        yield game.judge(state, action).reason
        yield phrase(game, state, action)
    for entry in entries_of(game, state):
        yield entry.title
        for choice in entry.choices:
            yield choice.label
            yield from choice.words.values()


@pytest.mark.slow
@pytest.mark.parametrize("name", games())
def test_whatever_is_played_is_told_in_words(name: str) -> None:
    game, chance, found = find_game(name), random.Random(17), {}
    setup = game.setup()
    state = game.start(setup)
    for _ in range(PLIES):
        for text in everything_said(game, setup, state, chance):
            for said in told(text) if text else []:
                if odd := code_names(said):
                    found[said] = odd
        if not (legal := list(game.legal(state))):
            break
        state = game.advance(state, chance.choice(legal))
    assert found == {}


@pytest.mark.parametrize("name", games())
def test_options_are_told_in_words_and_refused_in_words(name: str) -> None:
    game = find_game(name)
    texts = [game.title, *map(called, game.seats)]
    for option in game.options:
        texts += [option.label, option.about, *map(option.word, option.choices)]
        for value in ("", "no_such", "9" * 400, "²", "-1"):
            with pytest.raises(BadInput) as refused:
                game.setup(None, {option.name: value})
            texts.append(refused.value.args[0])
    for seats in (["nobody"], [game.seats[0]] * 2, [*game.seats, "x_y"], [game.seats[-1]]):
        try:
            game.setup(seats)
        except BadInput as refused:
            texts.append(refused.args[0])
    with pytest.raises(BadInput) as refused:
        game.setup(None, {"no_such": "1"})
    texts.append(refused.value.args[0])
    said = [one for text in texts for one in told(text)]
    assert {one: odd for one in said if (odd := code_names(one))} == {}


@pytest.mark.parametrize("name", games())
def test_what_nobody_can_read_is_refused_in_words(name: str) -> None:
    game = find_game(name)
    setup, found = game.setup(), {}
    start = game.start(setup)
    spot = next(iter(game.board(setup).spots))
    tries = [
        lambda text: game.parse(setup, text),
        lambda text: game.arrange(setup, {text: tokens_of(game, setup)[0]}, None),
        lambda text: game.arrange(setup, {spot: text}, None),
        lambda text: game.arrange(setup, game.expect(start), text),
        lambda text: game.load({**game.dump(start), text: 1, "seats": [text]}),
        lambda text: picture_of(game, setup, text),
        find_game,
    ]
    if isinstance(game, OneLineNotation):
        tries.append(lambda text: game.read_position(setup, text))
    odd_texts = ("x_y", "south.reserve=red7", "silver Al", "a1-zz9", "None", "\ud800\n\0")
    for text in (*odd_texts, "x" * 5000):
        for number, attempt in enumerate(tries):
            try:
                attempt(text)
            except BadInput as refused:
                said = refused.args[0]
                assert isinstance(said, Text), (number, said)
                for one in told(said):
                    if odd := code_names(one):
                        found[one] = odd
    assert found == {}
