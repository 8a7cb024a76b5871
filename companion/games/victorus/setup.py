"""What the players agree before the game: every option of the rules, and who may play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from companion.rules import BadInput, Option, option_words, quoted, say, worded

COLOURS = ("red", "black", "orange", "purple", "blue", "green")
"""The seats clockwise from the south, unless option ``seats`` orders them otherwise."""
ALLIES = (frozenset(("red", "green", "orange")), frozenset(("black", "blue", "purple")))
ALLIED_ORDER = ("orange", "black", "red", "blue", "green", "purple")

_CALLED = option_words(
    say("variant"), say("basic"), say("quick"), say("allied"), say("ring1"), say("white"),
    say("grey"), say("corner"), say("right"), say("left"), say("wall tip"), say("allowed"),
    say("forbidden"), say("fallen walls"), say("stand"), say("gone"), say("seats"),
    say("empty kingdom"), say("battlefield"), say("kingdom"), say("placement"), say("symmetric"),
    say("free"), say("edge"), say("away"), say("toward"), say("portal"), say("home"), say("far"),
    say("rim"), say("blocks"), say("open"), say("pivot"), say("must"), say("may"), say("second"),
    say("dogleg"), say("return"), say("no"), say("yes"), say("gate"), say("knights"), say("all"),
    say("must move"), say("bonus"), say("bonus strategic"), say("pass on"),
    say("royal bonus colour"), say("same"), say("opposite"), say("from enemy"), say("double"),
    say("any"), say("game minutes"), say("move seconds"), say("tie"), say("draw"), say("shared"),
    say("order"), say("clockwise"), say("given"), say("red"), say("black"), say("orange"),
    say("purple"), say("blue"), say("green"),
)  # fmt: skip


class _Order(Option):
    """An option whose choices are too many to list."""

    def problem(self, value: str) -> str | None:
        if value in self.choices:
            return None
        return say(
            "{option}: the six colours clockwise, beginning with red and joined by hyphens, such "
            "as {usual}, not {value}",
            option=self.label,
            usual=self.default,
            value=quoted(value),
        )


def _choice(rule: str, name: str, choices: str, about: str) -> Option:
    listed = tuple(choices.split("|"))
    return Option(name, listed[0], listed, rule, about)


OPTIONS: tuple[Option, ...] = worded(_CALLED, (
    _choice("VIC-8.3", "variant", "basic|quick|allied", "which of the three games is played"),
    _choice("VIC-2.2", "ring1", "white|grey", "colour of the six cells around the centre"),
    _choice("VIC-2.3", "corner", "right|left", "which corner cell belongs to a kingdom"),
    _choice("VIC-2.4", "wall_tip", "allowed|forbidden", "may a spoke touch a wall's inner end"),
    _choice("VIC-2.4", "fallen_walls", "stand|gone", "walls beside an empty or fallen kingdom"),
    _Order("seats", "-".join(COLOURS),
           tuple("-".join(("red", *rest)) for rest in permutations(COLOURS[1:])),
           "VIC-2.5", "the colours clockwise around the table"),
    _choice("VIC-2.5", "empty_kingdom", "battlefield|kingdom", "what an empty seat's land is"),
    _choice("VIC-2.5", "placement", "symmetric|free", "which seats may play together"),
    _choice("VIC-2.6", "edge", "away|toward", "where a seat's colour is on each cell's edge"),
    _choice("VIC-2.6", "portal", "home|far", "which side of the centre is a colour's portal"),
    _choice("VIC-3.3", "rim", "blocks|open", "a missing cell beside a spoke at the rim"),
    _choice("VIC-4.3", "pivot", "must|may", "must a Hospitaller pivot after its travel"),
    _choice("VIC-4.4", "second", "may|must", "must a two-move piece make its second move"),
    _choice("VIC-4.4", "dogleg", "free|must", "must a royal knight's second move turn off"),
    _choice("VIC-4.4", "return", "no|yes", "may a royal knight end where its turn began"),
    _choice("VIC-4.6", "gate", "knights|all", "whose captures let King and Queen out"),
    _choice("VIC-4.7", "must_move", "yes|no", "must a player move who can"),
    _choice("VIC-5.2", "bonus", "may|must", "must a bonus move be made where one is possible"),
    _choice("VIC-5.3", "bonus_strategic", "yes|no", "may a strategic move be a bonus move"),
    _choice("VIC-5.4", "pass_on", "yes|no", "may a double captor leave its bonus to another"),
    _choice("VIC-5.5", "royal_bonus_colour", "same|opposite",
            "the colour a King's or Queen's bonus move ends on, as against the last capture"),
    _choice("VIC-5.6", "from_enemy", "no|yes", "capture from enemy kingdom to enemy kingdom"),
    _choice("VIC-5.7", "double", "battlefield|any", "where a double captor's second may be"),
    Option("game_minutes", "60", (), "VIC-8.1", "quick game: minutes until the last round",
           1, 24 * 60),
    Option("move_seconds", "90", (), "VIC-8.1", "quick game: seconds to begin a turn", 1, 3600),
    _choice("VIC-8.1", "tie", "draw|shared", "quick game: what equal points mean"),
    _choice("VIC-8.3", "order", "clockwise|given", "must the seats play clockwise"),
))  # fmt: skip


def seating(seats: Sequence[str], options: Mapping[str, str], given: bool) -> tuple[str, ...]:
    """Return ``seats`` in order of play (VIC-2.5, VIC-8.2, VIC-8.3); ``given`` tells whether
    somebody named them.

    Raises:
        BadInput: these seats cannot play together, or not in this order.
    """
    around = tuple(options["seats"].split("-"))
    if not given:
        seats = around
    _check_number(seats)
    if options["variant"] == "allied":
        _check_allies(seats)
    if options["placement"] == "symmetric":
        _check_places(sorted(around.index(seat) for seat in seats))
    if options["order"] == "given" and given:
        return tuple(seats)
    if options["variant"] == "allied":
        return tuple(seat for seat in ALLIED_ORDER if seat in seats)
    turn = around.index(seats[0])
    clockwise = tuple(s for s in around[turn:] + around[:turn] if s in seats)
    if clockwise != tuple(seats):
        raise BadInput(
            say(
                "the seats play clockwise: name them as {seats}, or choose {option}: {value}",
                seats=clockwise,
                option=_CALLED["order"],
                value=_CALLED["given"],
            )
        )
    return clockwise


def _check_number(seats: Sequence[str]) -> None:
    if not 2 <= len(seats) <= 6:
        raise BadInput(say("Victorus is for two to six players, not {count}", count=len(seats)))


def _check_allies(seats: Sequence[str]) -> None:
    ours, theirs = (sum(seat in side for seat in seats) for side in ALLIES)
    if ours != theirs or len(seats) not in (4, 6):
        raise BadInput(
            say(
                "allied armies are two against two or three against three: {ours} against "
                "{theirs}; {seats} cannot be",
                ours=sorted(ALLIES[0]),
                theirs=sorted(ALLIES[1]),
                seats=seats,
            )
        )


def _check_places(places: Sequence[int]) -> None:
    opposite = all((place + 3) % 6 in places for place in places)
    alternate = len({place % 2 for place in places}) == 1
    fits = {2: opposite, 3: alternate, 4: opposite}.get(len(places), True)
    if not fits:
        how = {
            2: say("2 players sit opposite each other"),
            3: say("3 players sit at every other seat"),
            4: say("4 players sit as two opposite pairs"),
        }
        raise BadInput(
            say(
                "{how}; choose other seats, or {option}: {value}",
                how=how[len(places)],
                option=_CALLED["placement"],
                value=_CALLED["free"],
            )
        )
