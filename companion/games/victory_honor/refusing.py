"""Whether a card may be laid on a slot in one world, and if not by which rule."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.victory_honor.cards import DOWN, REGIMENTS, Deck
from companion.games.victory_honor.geometry import ONWARD, SLOTS, position_name, seat_name
from companion.games.victory_honor.phase import (
    Phase,
    PhaseHouse,
    after_the_bar,
    cannot_open,
    faces,
    positions,
)
from companion.rules import Ruling, Text, say
from companion.rules.hidden import things

ALLOWED = 9
"""How far an allowed play comes; a refused one is stopped earlier."""


@dataclass(frozen=True, slots=True)
class Play:
    """A card to be judged: ``card`` is ``DOWN`` if it lies face down; ``sure`` is the set of
    cards that its player is known to hold, for naming one as a proof."""

    phase: Phase
    house: PhaseHouse
    deck: Deck
    slot: int
    card: int
    sure: int = 0

    @property
    def who(self) -> Text:
        """Return the player's name."""
        return seat_name(self.slot // 3)

    @property
    def where(self) -> Text:
        """Return the position's name."""
        return position_name(self.slot % 3)

    @property
    def spot(self) -> str:
        """Return the spot's name."""
        return SLOTS[self.slot]

    def colour(self, number: int) -> Text:
        """Return the name of a colour."""
        return self.deck.colour(number)

    def held(self, colours: int) -> Text | None:
        """Return the lowest card that is known to be held of one of ``colours``."""
        for colour in things(colours):
            for card in things(self.sure & REGIMENTS[colour]):
                return self.deck.word(card)
        return None


def ruling_in(play: Play, colours: int) -> tuple[int, Ruling]:
    """Rule on ``play`` in the world where its player's hand is of ``colours``; tell how far the
    play comes. The slot is empty and its seat on turn."""
    phase, house = play.phase, play.house
    where, filling = positions(phase, house, colours)
    bit = 1 << play.slot % 3
    if not where & bit:
        return _wrong_position(play, colours, where, filling)
    shown, hidden = faces(phase, house, colours, play.slot % 3)
    if play.card == DOWN:
        return _allowed_down(play) if hidden else _wrongly_down(play, colours)
    if shown & 1 << play.card // 10:
        return _allowed_up(play)
    return _wrongly_up(play, colours, hidden)


def _no(step: int, rule: str, reason: Text, *spots: str) -> tuple[int, Ruling]:
    return step, Ruling(False, rule, reason, spots)


def _spots(seat: int, bits: int) -> tuple[str, ...]:
    return tuple(SLOTS[3 * seat + position] for position in things(bits))


def _wrong_position(play: Play, colours: int, where: int, filling: bool) -> tuple[int, Ruling]:
    """Refuse the position: VH-5.1, 5.2, 5.3, 5.4 in this order."""
    phase, house, seat = play.phase, play.house, play.slot // 3
    bit, spot, others = 1 << play.slot % 3, play.spot, _spots(seat, where)
    if phase.ordered >= 0:
        reason = say("{scout} has laid a scout and ordered {seat} to the {position}.",
                     scout=seat_name(phase.order[-1] // 3), seat=play.who,
                     position=position_name(phase.ordered))  # fmt: skip
        return _no(1, "VH-5.1", reason, *others, spot)
    left = after_the_bar(phase, house)
    if not filling and not left & bit:
        last = SLOTS[phase.order[-1]]
        message = (
            say("{spot} faces {last}, where the card before was laid; {seat} has another empty "
                "position.", spot=spot, last=last, seat=play.who)
            if house.across
            else say("The card before was laid on {last}; {seat} may not choose the {position} "
                     "too, for he has another empty position.", last=last, seat=play.who,
                     position=play.where)
        )  # fmt: skip
        return _no(2, "VH-5.2", message, spot, SLOTS[phase.order[-1]])
    if cannot_open(phase, house, colours) & bit:
        reason = say("In the {position} {seat} could only sacrifice the opening; he may play "
                     "here: {others}.", position=play.where, seat=play.who,
                     others=[position_name(p) for p in things(where)])  # fmt: skip
        return _no(3, "VH-5.3", reason, spot, *others)
    reason = say("From {spot} the turn would pass to {other}, whose board is full; {seat} can "
                 "still pass it to a board with room.", spot=spot,
                 other=seat_name(ONWARD[play.slot]), seat=play.who)  # fmt: skip
    return _no(4, "VH-5.4", reason, spot, *others)


def _wrongly_down(play: Play, colours: int) -> tuple[int, Ruling]:
    """Refuse a card laid face down where its player can follow or open."""
    asked = play.phase.opened[play.slot % 3]
    if asked >= 0:
        if held := play.held(1 << asked):
            reason = say("{seat} held {card} and had to follow {colour} in the {position}.",
                         seat=play.who, card=held, colour=play.colour(asked),
                         position=play.where)  # fmt: skip
        else:
            reason = say("{seat} holds {colour} and must follow with it, face up, in the "
                         "{position}.", seat=play.who, colour=play.colour(asked),
                         position=play.where)  # fmt: skip
        return _no(5, "VH-6.1", reason, play.spot)
    if held := play.held(colours & ~play.phase.open_colours):
        reason = say("{seat} held {card} and had to open the {position} with a colour that is "
                     "not open yet.", seat=play.who, card=held, position=play.where)  # fmt: skip
    else:
        closed = [play.colour(c) for c in things(~play.phase.open_colours & 15)]
        reason = say("{seat} can open the {position} and must do so, face up, with a colour that "
                     "is not open yet: {colours}.", seat=play.who, position=play.where,
                     colours=closed)  # fmt: skip
    return _no(6, "VH-6.3", reason, play.spot)


def _wrongly_up(play: Play, colours: int, hidden: bool) -> tuple[int, Ruling]:
    """Refuse a card laid face up that neither follows nor opens."""
    position, token = play.slot % 3, play.deck.word(play.card)
    asked = play.phase.opened[position]
    if asked >= 0:
        if hidden:
            reason = say("{card} does not follow {colour} in the {position}; a card of another "
                         "colour is laid face down.", card=token, colour=play.colour(asked),
                         position=play.where)  # fmt: skip
            return _no(7, "VH-6.2", reason, play.spot)
        held = play.held(1 << asked)
        reason = (
            say("{seat} held {held} and had to follow {colour} in the {position}, not to play "
                "{card}.", seat=play.who, held=held, colour=play.colour(asked),
                position=play.where, card=token)
            if held
            else say("{seat} holds {colour} and must follow with it in the {position}, not play "
                     "{card}.", seat=play.who, colour=play.colour(asked), position=play.where,
                     card=token)
        )  # fmt: skip
        return _no(5, "VH-6.1", reason, play.spot)
    if hidden:
        reason = say("{card} cannot open the {position}; it is laid there face down, as a "
                     "sacrificed opening.", card=token, position=play.where)  # fmt: skip
        return _no(5, "VH-6.4", reason, play.spot)
    opener = play.phase.opened.index(play.card // 10)
    reason = say("{card} cannot open the {position}: {colour} has opened the {other} in this "
                 "phase.", card=token, position=play.where, colour=play.colour(play.card // 10),
                 other=position_name(opener))  # fmt: skip
    return _no(6, "VH-6.3", reason, play.spot)


def _allowed_up(play: Play) -> tuple[int, Ruling]:
    token, position = play.deck.word(play.card), play.slot % 3
    asked = play.phase.opened[position]
    if asked >= 0:
        reason = say("{card} follows {colour} in the {position}.", card=token,
                     colour=play.colour(asked), position=play.where)  # fmt: skip
        return ALLOWED, Ruling(True, "VH-6.1", reason, (play.spot,))
    reason = say("{card} opens the {position}.", card=token, position=play.where)
    return ALLOWED, Ruling(True, "VH-6.3", reason, (play.spot,))


def _allowed_down(play: Play) -> tuple[int, Ruling]:
    asked = play.phase.opened[play.slot % 3]
    if asked >= 0:
        reason = say("{seat} lays a card face down in the {position}; if he holds {colour}, that "
                     "is found when all cards are shown.", seat=play.who, position=play.where,
                     colour=play.colour(asked))  # fmt: skip
        return ALLOWED, Ruling(True, "VH-6.2", reason, (play.spot,))
    reason = say(
        "{seat} sacrifices the opening of the {position}; if he could open it, that is "
        "found when all cards are shown.",
        seat=play.who,
        position=play.where,
    )
    return ALLOWED, Ruling(True, "VH-6.4", reason, (play.spot,))
