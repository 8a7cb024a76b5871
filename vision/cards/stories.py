"""What may have been played since the last picture of a table of cards, and how likely that is.

A story is a legal sequence of actions. Those are told that leave the fewest places unexplained; of
several such, each is as likely as the cards that it says lie where a picture leaves a doubt.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from companion.rules import Action, Game, S
from vision.cards.card_sight import EVEN, CardPlace

LONGEST = 13
"""Actions between two still pictures that are searched: a whole phase and its end."""
NODES = 600
"""Actions that are tried in stories of one length, those of the likeliest stories first."""
BEAM = 60
"""Stories of one length that are followed: those that leave the fewest places, the likeliest."""
BLURRED = 2
"""Places that may remain in doubt when all cards of a phase were gathered."""
ALIKE = 0.01
"""Probability from which on a card in doubt may be the one that is believed to lie there."""
REFUSED = 0.02
"""How often a card is laid where the rules do not allow it."""


@dataclass(frozen=True, slots=True)
class SeenCards:
    """What a picture shows: on each spot in ``sure`` a token or None for nothing; in ``doubts``
    cards that are not known for sure, each token with its probability, the rest being that it is
    none of the known ones. What is hidden is in neither."""

    sure: Mapping[str, str | None]
    doubts: Mapping[str, CardPlace]

    def speaks_for(self, spot: str, token: str | None) -> bool:
        """Tell whether ``token`` may lie on ``spot``."""
        if spot not in self.doubts:
            return self.sure.get(spot, token) == token
        card = self.doubts[spot].card
        if token is None or card is None or card.known < EVEN:
            return token is not None
        return dict(card.faces).get(token, 0.0) > ALIKE

    def left(self, lying: Mapping[str, str]) -> tuple[str, ...]:
        """Return the spots that do not show what is believed to be ``lying`` there."""
        spots = (*self.sure, *self.doubts)
        return tuple(spot for spot in spots if not self.speaks_for(spot, lying.get(spot)))


@dataclass(frozen=True, slots=True)
class CardStory(Generic[S]):
    """Actions that explain a picture as far as they go, the state after them, the places that
    they leave unexplained, and the logarithm of their probability. ``trust`` is for each action
    how likely it is, if no other legal one, that its card is not one that may not lie there."""

    actions: tuple[Action, ...]
    state: S
    left: tuple[str, ...]
    log_p: float = 0.0
    trust: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldCards(Generic[S]):
    """The ``story`` that is certain, and the ``rivals`` that go on from it, the likeliest first;
    there is none where everything is certain. ``whatever`` are the actions that were played,
    whatever the card in doubt before them is."""

    story: CardStory[S]
    rivals: tuple[CardStory[S], ...] = ()
    whatever: frozenset[Action] = frozenset()


class Stories(Generic[S]):
    """Searches the stories of one game. What is told of a card is ``sure`` from that probability
    on."""

    def __init__(self, game: Game[S], sure: float) -> None:
        self._game, self._sure = game, sure

    def tell(self, state: S, seen: SeenCards) -> ToldCards[S]:
        """Return what is certain of what happened since ``state``: what all likely stories begin
        with. The same cards laid in another order are no other story."""
        laid: dict[frozenset[Action], CardStory[S]] = {}
        for story in self._best(state, seen):
            laid.setdefault(frozenset(story.actions), story)
        rivals, known = list(laid.values()), self._begun(state, seen)
        while going_on := [one for one in rivals if len(one.actions) > len(known.actions)]:
            place = len(known.actions)
            best = max(going_on, key=lambda story: story.log_p)
            action = best.actions[place]
            same = [one for one in going_on if one.actions[place] == action]
            if _weight(same) * best.trust[place] < self._sure * _weight(rivals):
                ranked = tuple(sorted(going_on, key=lambda story: -story.log_p))
                return ToldCards(
                    known, ranked, self._whatever(going_on, ranked[0].actions[place:], seen)
                )
            rivals, known = same, self._with(known, action, seen)
        return ToldCards(known)

    def _whatever(
        self, stories: Sequence[CardStory[S]], likeliest: Sequence[Action], seen: SeenCards
    ) -> frozenset[Action]:
        """Return the cards seen for sure that were played rightly, whatever the doubts are about:
        in the worlds that no story tells they would have been laid against the rules."""
        found = set()
        for action in likeliest:
            right = min(1.0, _weight([one for one in stories if action in one.actions]))
            if right >= self._sure * (right + REFUSED * (1 - right)):
                found.add(action)
        certain = {spot: token for spot, token in seen.sure.items() if token is not None}
        return frozenset(a for a in found if certain.get(str(a.target)) == a.detail)

    def _begun(self, state: S, seen: SeenCards) -> CardStory[S]:
        return CardStory((), state, seen.left(self._game.expect(state)))

    def _with(
        self,
        story: CardStory[S],
        action: Action,
        seen: SeenCards,
        p: float = 1.0,
        trust: float = 1.0,
    ) -> CardStory[S]:
        after = self._game.advance(story.state, action)
        # What is in doubt is explained once something was laid there, whatever it is.
        left = tuple(
            spot
            for spot in seen.left(self._game.expect(after))
            if spot in seen.sure or (spot in story.left and spot != action.target)
        )
        actions, trusts = (*story.actions, action), (*story.trust, trust)
        return CardStory(actions, after, left, story.log_p + math.log(p), trusts)

    def _best(self, state: S, seen: SeenCards) -> list[CardStory[S]]:
        """Return the shortest stories that leave the fewest places unexplained."""
        best = [self._begun(state, seen)]
        level = best
        for _ in range(LONGEST):
            following: dict[S, CardStory[S]] = {}
            tried = ((one, *how) for one in level for how in self._speaking(one, seen))
            for story, action, p, trust in itertools.islice(tried, NODES):
                after = self._with(story, action, seen, p, trust)
                following.setdefault(after.state, after)
            level = sorted(following.values(), key=lambda one: (len(one.left), -one.log_p))[:BEAM]
            if not level:
                break
            fewest = len(level[0].left)
            if fewest < len(best[0].left):
                best = [story for story in level if len(story.left) == fewest]
            if not fewest:
                break
        return best

    def _speaking(
        self, story: CardStory[S], seen: SeenCards
    ) -> Iterator[tuple[Action, float, float]]:
        """Yield the legal actions that the picture speaks for, how likely each is, and how much
        it is to be trusted."""
        differ = set(story.left)
        if not differ:
            return
        legal = self._game.legal(story.state)
        for spot, laid in by_spot(legal).items():
            if spot in differ and spot in seen.doubts:
                shares = likely(seen.doubts[spot], [action.detail for action in laid])
                yield from ((a, *shares[a.detail]) for a in laid if shares[a.detail][0])
            elif spot in differ:
                yield from ((a, 1.0, 1.0) for a in laid if seen.sure.get(spot) == a.detail)
        for action in legal:
            if action.target is None:
                changes = self._game.effect(story.state, action).changes
                left = [spot for spot in changes if spot not in differ]
                unclear = [spot for spot in left if spot not in seen.sure]
                if changes and left == unclear and len(left) <= BLURRED:
                    yield action, 1.0, 1.0


def by_spot(legal: Sequence[Action]) -> dict[str, list[Action]]:
    """Return the cards that may be laid on each spot, as actions."""
    laid: dict[str, list[Action]] = {}
    for action in legal:
        if action.target is not None and action.detail:
            laid.setdefault(action.target, []).append(action)
    return laid


def likely(place: CardPlace, tokens: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return for each of ``tokens``, those that the rules allow there, how likely it was played by
    what ``place`` shows, and how far the picture is to be trusted that this is its card.

    A card of another deck stands for one of these: a look-alike for the one it is like, a stranger
    for any. What is missing to 1 is that a card was laid that the rules do not allow.
    """
    card = place.card
    faces = dict(card.faces) if card is not None else {}
    foreign = 1.0 - sum(faces.values())
    double = {card.nearest[0]: card.double} if card is not None and card.faces else {}
    any_of = max(0.0, foreign - sum(double.values())) / len(tokens)
    known = {token: faces.get(token, 0.0) + any_of for token in tokens}
    played = {token: p + double.get(token, 0.0) for token, p in known.items()}
    refused = REFUSED * max(0.0, 1.0 - sum(played.values()))
    whole = sum(played.values()) + refused
    return {
        token: (played[token] / whole, p / (p + foreign + refused)) for token, p in known.items()
    }


def _weight(stories: Sequence[CardStory[S]]) -> float:
    return math.fsum(math.exp(story.log_p) for story in stories)
