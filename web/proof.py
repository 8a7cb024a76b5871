"""A ruling as one HTML file for people who are not at the table: the board drawn, the rule's text,
what proves the ruling, and what could not be known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment

from companion.referee import what_if
from companion.referee.hints import hints
from companion.rules import (
    Action,
    Game,
    Setup,
    arrangements,
    called,
    card_texts_of,
    name_of,
    picture_of,
    say,
    situation_of,
    tell,
    told_options,
    unknown_of,
)
from web import drawing
from web.alone import environment
from web.language import rules_in, translator
from web.wording import phrase


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place of the drawn board: what lies there, what it is called, and how it is marked."""

    place: drawing.DrawnPlace
    name: str
    token: str
    said: str
    mark: str


def proof_page(
    game: Game[Any], setup: Setup, state: Any, actions: Iterable[Action], language: str
) -> str:
    """Return an HTML page in ``language`` that needs no other file: each of ``actions`` ruled on
    in turn from ``state``; a refused one is not played."""
    translate = translator(language)
    sheet = _Sheet(game, setup, language)
    steps, now = [], state
    for action in actions:
        ((_, after),) = what_if(game, now, [action])
        steps.append(sheet.step(now, action))
        now = after
    tokens = {spot.token for step in steps for spot in step["board"] if spot.token}
    page = _environment(language).get_template("proof.html")
    return page.render(
        language=language,
        game=tell(game.title, translate),
        context=tell(told_options(game.options, setup.options), translate) if game.options else "",
        problems=[
            {"rule": problem.rule, "reason": tell(problem.reason, translate)}
            for problem in arrangements(game).check(state)
        ],
        symbols=[
            drawing.symbol(token, picture_of(game, setup, token), sheet.said(token))
            for token in sorted(tokens)
        ],
        view_box=sheet.picture.view_box,
        pitch=sheet.picture.pitch,
        printed=sheet.picture.marks,
        steps=steps,
    )


class _Sheet:
    """What is drawn and told of one game in one language."""

    def __init__(self, game: Game[Any], setup: Setup, language: str) -> None:
        self._game, self._setup = game, setup
        self._translate = translator(language)
        self._rules = rules_in(game, language)
        self.picture = drawing.picture(game.board(setup))

    def said(self, token: str) -> str:
        """Return what people call ``token``."""
        return tell(name_of(self._game, token), self._translate)

    def place(self, spot: str) -> str:
        """Return what people call ``spot``."""
        return tell(called(spot), self._translate)

    def step(self, state: Any, action: Action) -> Mapping[str, Any]:
        """Return the ruling on ``action`` with all that proves it, for the template."""
        game, translate = self._game, self._translate
        ruling, position = game.judge(state, action), game.expect(state)
        rule = self._rules.get(ruling.rule)
        to_move, text = game.to_move(state), tell(phrase(game, state, action), translate)
        return {
            "action": game.format(action),
            "text": text[:1].upper() + text[1:],
            "to_move": to_move and translate(to_move),
            "allowed": ruling.allowed,
            "reason": tell(ruling.reason, translate),
            "rule": ruling.rule,
            "title": rule.title if rule else "",
            "section": rule.section if rule else "",
            "rule_text": rule.text if rule else "",
            "proof": [
                {"spot": self.place(spot), "token": self._standing(position.get(spot))}
                for spot in dict.fromkeys(ruling.spots)
            ],
            "hints": [tell(hint, translate) for hint in hints(game, state, action)],
            "left_out": [tell(text, translate) for text in _left_out(game, state)],
            "situation": [tell(text, translate) for text in situation_of(game, state)],
            "board": self._board(position, ruling.spots, action),
        }

    def _standing(self, token: str | None) -> str:
        return tell(say("empty"), self._translate) if token is None else self.said(token)

    def _board(
        self, position: Mapping[str, str], proof: Iterable[str], action: Action
    ) -> list[_Spot]:
        marks = dict.fromkeys(proof, "proof")
        marks |= dict.fromkeys(action.ends, "moved")
        found = []
        for row in self.picture.rows:
            for place in row:
                token = position.get(place.name, "")
                name, mark = self.place(place.name), marks.get(place.name, "")
                # A place is named where the ruling speaks of it, by the name on the board.
                found.append(_Spot(place, name, token, self.said(token) if token else "", mark))
        return found


def _left_out(game: Game[Any], state: Any) -> Iterable[str]:
    """Yield what the ruling does not know, and goes by all the same."""
    if hidden := list(unknown_of(game, state)):
        yield say("What lies face down is not known here: {spots}. What is allowed is allowed as "
                  "far as the open cards tell.", spots=hidden)  # fmt: skip
    lacking = [card.name for card in card_texts_of(game, state) if card.lacking]
    if lacking:
        yield say("Some texts of these cards were never entered, and nothing is made of them: "
                  "{cards}.", cards=lacking)  # fmt: skip


@cache
def _environment(language: str) -> Environment:
    drawn = environment(translator(language))
    drawn.filters["token_id"] = drawing.token_id
    return drawn
