"""What the players agree before the game: every option of the rules, and who may play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rules import BadInput, Option, option_words, order_option, say, worded

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
    say("after capture"), say("captor"), say("leaves"), say("stays"), say("fallen kingdom"),
    say("then"), say("now"), say("same kingdom"),
    say("any"), say("game minutes"), say("move seconds"), say("tie"), say("draw"), say("shared"),
    say("order"), say("clockwise"), say("given"), say("red"), say("black"), say("orange"),
    say("purple"), say("blue"), say("green"),
)  # fmt: skip


def _choice(rule: str, name: str, choices: str, about: str, *earlier: str) -> Option:
    listed = tuple(choices.split("|"))
    return Option(
        name, listed[0], listed, rule, about, earlier=earlier, house_rule=name != "variant"
    )


OPTIONS: tuple[Option, ...] = worded(_CALLED, (
    _choice("VIC-8.3", "variant", "basic|quick|allied", say("which of the three games is played")),
    _choice("VIC-2.2", "ring1", "white|grey", say("colour of the six cells around the centre")),
    _choice("VIC-2.3", "corner", "right|left", say("which corner cell belongs to a kingdom")),
    _choice("VIC-2.4", "wall_tip", "allowed|forbidden",
            say("may a spoke touch a wall's inner end")),
    _choice("VIC-2.4", "fallen_walls", "stand|gone",
            say("walls beside an empty or fallen kingdom")),
    order_option("seats", COLOURS, "VIC-2.5", say("the colours clockwise around the table"),
                 house_rule=False),
    _choice("VIC-2.5", "empty_kingdom", "battlefield|kingdom", say("what an empty seat's land is")),
    _choice("VIC-2.5", "placement", "symmetric|free", say("which seats may play together")),
    _choice("VIC-2.6", "edge", "away|toward", say("where a seat's colour is on each cell's edge")),
    _choice("VIC-2.6", "portal", "home|far", say("which side of the centre is a colour's portal")),
    _choice("VIC-3.3", "rim", "open|blocks", say("a missing cell beside a spoke at the rim"),
            "blocks"),
    _choice("VIC-4.3", "pivot", "must|may", say("must a Hospitaller pivot after its travel")),
    _choice("VIC-4.4", "second", "may|must", say("must a two-move piece make its second move")),
    _choice("VIC-4.4", "dogleg", "free|must", say("must a royal knight's second move turn off")),
    _choice("VIC-4.4", "return", "after_capture|yes|no",
            say("may a royal knight end where its turn began"), "no"),
    _choice("VIC-4.6", "gate", "knights|all", say("whose captures let King and Queen out")),
    _choice("VIC-4.7", "must_move", "yes|no", say("must a player move who can")),
    _choice("VIC-5.2", "bonus", "may|must", say("must a bonus move be made where one is possible")),
    _choice("VIC-5.2", "captor", "leaves|stays",
            say("may a captor leave an enemy kingdom this turn")),
    _choice("VIC-5.3", "bonus_strategic", "yes|no", say("may a strategic move be a bonus move")),
    _choice("VIC-5.4", "pass_on", "yes|no", say("may a double captor leave its bonus to another")),
    _choice("VIC-5.5", "royal_bonus_colour", "same|opposite",
            say("the colour a King's or Queen's bonus move ends on, as against the last capture")),
    _choice("VIC-5.6", "from_enemy", "no|yes|same",
            say("may who began in an enemy kingdom capture in one, or in the same one")),
    _choice("VIC-5.6", "fallen_kingdom", "then|now",
            say("what a kingdom that falls in the turn is for pieces that began there")),
    _choice("VIC-5.7", "double", "battlefield|any", say("where a double captor's second may be")),
    _choice("VIC-5.7", "same_kingdom", "no|yes",
            say("may a captor capture again in that enemy kingdom this turn"), "yes"),
    Option("game_minutes", "60", (), "VIC-8.1", say("quick game: minutes until the last round"),
           1, 24 * 60, house_rule=False),
    Option("move_seconds", "90", (), "VIC-8.1", say("quick game: seconds to begin a turn"), 1, 3600,
           house_rule=False),
    _choice("VIC-8.1", "tie", "draw|shared", say("quick game: what equal points mean")),
    _choice("VIC-8.3", "order", "clockwise|given", say("must the seats play clockwise")),
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
