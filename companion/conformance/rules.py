"""Bronze: the rules hold, and every capability that a game declares keeps its promise."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from companion.conformance.checks import (
    BRONZE,
    CHECKS,
    FEWEST_WORDS,
    AnyGame,
    CheckedGame,
    check,
)
from companion.conformance.random_play import Counted, play
from companion.rules import (
    BACK,
    Armies,
    Arrangements,
    BadInput,
    ButtonWords,
    CardTexts,
    Claims,
    Clocks,
    DiceOnMat,
    EntryForms,
    Exports,
    FreeSetUp,
    HiddenHands,
    Highlights,
    Limits,
    Marked,
    Names,
    OneLineNotation,
    OwnCards,
    OwnFields,
    Props,
    SavedStates,
    Settlements,
    Situation,
    Supply,
    Teams,
    TwoSides,
    binds_of,
    claims_of,
    entries_of,
    picture_of,
    quoted,
    said_by,
    seatings_of,
    tokens_of,
)
from companion.rules import capabilities as contract
from companion.rules.geometry import inside

SEEDS, PLIES = 3, 60
SEATINGS = 12
"""Of so many ways to sit down the start is looked at."""
STATES = 25
FACES = 8
"""A token that is turned over again and again shows its first side after no more."""
NAME = re.compile(r"[a-z][a-z0-9_]*")
DAMAGED: tuple[Any, ...] = (None, -1, "nothing", [["nothing"]], {})
NONSENSE = ("", "z99-z98", "*z99", "a1-", "!")


def walk(game: AnyGame, seed: int = 0, plies: int = STATES) -> Iterator[Any]:
    """Yield the states of a random game by the usual set-up."""
    rng, state = random.Random(seed), game.start(game.setup())
    for _ in range(plies):
        yield state
        legal = game.legal(state)
        if not legal:
            return
        state = game.advance(state, rng.choice(legal))


# -- what it says of itself -------------------------------------------------------------------


@check(BRONZE)
def it_describes_itself(candidate: CheckedGame) -> None:
    """Name, title, seats, options and words are complete."""
    game = candidate.game
    assert NAME.fullmatch(game.name), f"{quoted(game.name)}: small letters, digits and _"
    assert game.title.strip(), "it has no title"
    assert len(set(game.seats)) == len(game.seats) >= 1, f"seats: {game.seats}"
    assert len({option.name for option in game.options}) == len(game.options), "two options alike"
    for option in game.options:
        assert option.rule in game.rules, f"option {option.name}: there is no rule {option.rule}"
        assert option.problem(option.default) is None, f"option {option.name}: its default"
        assert option.about, f"option {option.name} does not say what it is about"
    assert set(game.ends_turn) <= set(game.words), f"ends_turn names no words: {game.ends_turn}"
    assert all(game.words.values()), f"words without a text for their button: {game.words}"


@check(BRONZE)
def its_rule_texts_are_complete(candidate: CheckedGame) -> None:
    """Every rule has an id, a title and a text of whole sentences."""
    rules = candidate.game.rules
    assert len(rules) > 0, "it has no rules"
    for rule_id, rule in rules.items():
        assert rule.id == rule_id, f"{rule_id} calls itself {rule.id}"
        assert rule.title, f"{rule_id} has no title"
        assert rule.text.endswith("."), f"{rule_id}: its text does not end with a full stop"


@check(BRONZE)
def it_declares_what_it_has(candidate: CheckedGame) -> None:
    """No method of a capability stands in a game that does not inherit the capability."""
    game = candidate.game
    for kind in capabilities():
        if not isinstance(game, kind):
            had = sorted(name for name in own_names(kind) if hasattr(game, name))
            assert not had, f"it has {', '.join(had)}, but does not inherit {kind.__name__}"


def capabilities() -> tuple[type, ...]:
    """Return all capabilities of the contract."""
    found = vars(contract).values()
    return tuple(
        kind
        for kind in found
        if isinstance(kind, type)
        and kind.__module__ == contract.__name__
        and not kind.__name__.startswith("_")
    )


def own_names(kind: type) -> set[str]:
    """Return the public methods and data that a capability adds."""
    named = {*vars(kind), *vars(kind).get("__annotations__", {})}
    return {name for name in named if not name.startswith("_")}


@check(BRONZE)
def its_exemptions_have_reasons(candidate: CheckedGame) -> None:
    """Only checks of silver and gold are left out, each with a reason in a sentence."""
    for name, reason in candidate.exempt.items():
        assert name in CHECKS, f"exempt from {name}, which is no check"
        assert CHECKS[name].level != BRONZE, f"no game is exempt from {name}"
        assert len(reason.split()) >= FEWEST_WORDS, f"exempt from {name}: {quoted(reason)}"


@check(BRONZE)
def its_board_has_a_geometry(candidate: CheckedGame) -> None:
    """Spots have names that actions can be written with, outlines of their own, and a pitch."""
    game = candidate.game
    setup = game.setup()
    board = game.board(setup)
    assert len(board.spots) > 1, "the board has fewer than two spots"
    assert board.pitch > 0, f"the pitch is {board.pitch}"
    assert all(map(math.isfinite, board.bounds)), f"the board reaches to {board.bounds}"
    for name, spot in board.spots.items():
        assert spot.name == name, f"{name} calls itself {spot.name}"
        assert len(spot.outline) > 2, f"{name} has no outline"
        assert inside(spot.centre, spot.outline), f"the centre of {name} lies outside of it"
        within = [one for one in board.spots.values() if one is not spot]
        crossed = [one.name for one in within if inside(spot.centre, one.outline)]
        assert not crossed, f"the centre of {name} lies in {crossed}"
    assert set(board.corners) <= set(board), f"corners of no spots: {set(board.corners)}"
    assert game.board(setup) == board, "the board is another one when it is asked for again"


# -- the law of the house ---------------------------------------------------------------------


@check(BRONZE)
def random_games_keep_the_contract(candidate: CheckedGame) -> None:
    """In random play judge and legal agree, states survive, and effects are what is seen."""
    total = Counted()
    for seed in range(SEEDS):
        total.add(play(candidate.game, seed, PLIES, frozenset({0, 17 + 9 * seed})))
    assert total.records == SEEDS, "no whole game was written down"


@check(BRONZE)
def it_is_pure(candidate: CheckedGame) -> None:
    """The same question has the same answer, and no question changes a state."""
    game = candidate.game
    for state in walk(game):
        before = hash(state)
        asked = [
            (list(game.legal(state)), game.to_move(state), dict(game.expect(state)),
             game.outcome(state), game.scorecards(state), list(claims_of(game, state)))
            for _ in range(2)
        ]  # fmt: skip
        assert asked[0] == asked[1], "the same state answers otherwise when it is asked again"
        after = [game.advance(state, action) for action in islice(asked[0][0], 3)]
        again = [game.advance(state, action) for action in islice(asked[0][0], 3)]
        assert after == again, "the same action leads to different states"
        assert hash(state) == before, "a state was changed by being asked"


@check(BRONZE)
def everybody_who_may_sit_down_can_begin(candidate: CheckedGame) -> None:
    """Every seating has a start, with somebody to move."""
    game = candidate.game
    found = seatings_of(game)
    assert found, "nobody can play it by its usual options"
    for seats in found[:SEATINGS]:
        setup = game.setup(seats)
        state = game.start(setup)
        assert state.setup == setup, f"{seats}: the start does not know its set-up"
        assert game.to_move(state) in seats, f"{seats}: {game.to_move(state)} is to move"


@check(BRONZE)
def nonsense_is_refused(candidate: CheckedGame) -> None:
    """What nobody can understand is refused as bad input."""
    game = candidate.game
    setup = game.setup()
    for text in NONSENSE:
        _refused(f"{quoted(text)} as an action", partial(game.parse, setup, text))
    _refused("a seat that is none", lambda: game.setup(["nobody at all"]))
    _refused("an option that is none", lambda: game.setup(None, {"nothing": "yes"}))


def _refused(what: str, ask: Callable[[], object]) -> None:
    """Check that ``ask`` raises BadInput, with a sentence."""
    said = None
    try:
        ask()
    except BadInput as error:
        said = str(error)
    assert said is not None, f"{what} is not refused as BadInput"
    assert said.strip(), f"{what} is refused without a word"
    assert "\n" not in said, f"{what} is refused in more than a sentence"


# -- capabilities -----------------------------------------------------------------------------


@check(BRONZE, Arrangements)
def positions_can_be_set_up(candidate: CheckedGame) -> None:
    """What stands on the board can be set up anew, the start is sound, and nonsense is refused."""
    game: Any = candidate.game
    setup = game.setup()
    start = game.start(setup)
    if not isinstance(game, HiddenHands):
        assert game.check(start) == (), f"the start cannot be: {game.check(start)}"
        for state in walk(game):
            again = game.rearranged(state, game.expect(state), game.to_move(state))
            assert faces(game, again) == faces(game, state), "set up anew, something else stands"
    spot = next(iter(game.board(setup)))
    token = next(iter(game.expect(start).values()), "back")
    _refused("a purple cow", lambda: game.arrange(setup, {spot: "a purple cow"}))
    _refused("a place that is none", lambda: game.arrange(setup, {"z99": token}))
    _refused("nobody to move", lambda: game.arrange(setup, {}, "nobody"))


@check(BRONZE, FreeSetUp)
def the_usual_set_up_is_allowed(candidate: CheckedGame) -> None:
    """Where players set up freely, an empty board is told to be wrong."""
    game: Any = candidate.game
    setup = game.setup()
    assert game.check(game.arrange(setup, {})), "nothing is wrong with an empty board"


@check(BRONZE, SavedStates)
def damaged_states_are_refused(candidate: CheckedGame) -> None:
    """A saved state that is damaged is refused, not followed."""
    game: Any = candidate.game
    whole = game.dump(game.start(game.setup()))
    _refused("an empty state", lambda: game.load({}))
    _refused("a number for seats", lambda: game.load({"seats": 3}))
    for name in whole:
        for wrong in DAMAGED:
            # What it takes all the same is its own business; any other error is not.
            with suppress(BadInput):
                game.load({**whole, name: wrong})


@check(BRONZE, OneLineNotation)
def the_notation_refuses_nonsense(candidate: CheckedGame) -> None:
    """What is no position in the game's own notation is refused."""
    game: Any = candidate.game
    for text in ("", "nothing at all", "8/8"):
        _refused(f"{quoted(text)} as a position", partial(game.read_position, game.setup(), text))


@check(BRONZE, Claims)
def claims_bind_seats(candidate: CheckedGame) -> None:
    """Claims are no moves, lead somewhere, and bind seats that play."""
    game: Any = candidate.game
    for state in walk(game):
        legal = set(game.legal(state))
        for claim in game.claims(state):
            assert claim not in legal, f"{claim} is a move as well"
            assert set(binds_of(game, state, claim)) <= set(state.setup.seats), f"{claim} binds"
            assert game.advance(state, claim) != state, f"{claim} changes nothing"


@check(BRONZE, Settlements)
def settlements_are_claims(candidate: CheckedGame) -> None:
    """By which the players end a game is among the claims."""
    game: Any = candidate.game
    for state in walk(game, plies=5):
        claims = set(claims_of(game, state))
        ways = [game.agreement(state), *(game.resignation(state, s) for s in state.setup.seats)]
        assert {way for way in ways if way} <= claims, f"no claims: {set(ways) - claims}"


@check(BRONZE, Clocks)
def time_limits_are_spans_of_time(candidate: CheckedGame) -> None:
    """Limits are limits, by the usual options and by every choice of each."""
    game: Any = candidate.game
    assert isinstance(game.limits(game.setup()), Limits)


@check(BRONZE, Teams)
def sides_hold_every_seat_once(candidate: CheckedGame) -> None:
    """Who wins together: every seat is on one side."""
    game: Any = candidate.game
    for seats in seatings_of(game)[:SEATINGS]:
        sides = game.sides(game.setup(seats))
        assert sorted(seat for side in sides for seat in side) == sorted(seats), f"{sides}"


@check(BRONZE, Armies)
def tokens_belong_to_seats(candidate: CheckedGame) -> None:
    """Every token belongs to a seat or to nobody, and some to somebody."""
    game: Any = candidate.game
    owners = {game.owner(token) for token in tokens(game)}
    assert owners <= {None, *game.seats}, f"owners that are no seats: {owners}"
    assert owners - {None}, "no token belongs to anybody; then do not inherit Armies"


@check(BRONZE, Names)
def tokens_have_names(candidate: CheckedGame) -> None:
    """Every token is called something."""
    game: Any = candidate.game
    bare = [token for token in tokens(game) if not str(game.spoken(token)).strip()]
    assert not bare, f"nobody knows what to call {bare}"


@check(BRONZE, TwoSides)
def tokens_are_turned_back(candidate: CheckedGame) -> None:
    """Turned over again and again a token shows its first side again, or a back that tells none."""
    game: Any = candidate.game
    for token in tokens(game):
        shown, seen = [token], {game.look(token).face, BACK}
        while len(shown) <= FACES:
            over = game.turned_over(shown[-1])
            if over == BACK or game.look(over).face in seen:
                break
            shown.append(over)
        assert len(shown) <= FACES, f"{token} never shows its first side again: {shown}"


@check(BRONZE, Marked)
def marks_come_off(candidate: CheckedGame) -> None:
    """A token without its marks carries none, and is still a token of its owner."""
    game: Any = candidate.game
    for token in tokens(game):
        assert game.marks_on(game.unmarked(token)) == (), f"{token} keeps its marks"


@check(BRONZE, Supply)
def the_supply_holds_what_stands(candidate: CheckedGame) -> None:
    """Whatever lies on the board at the start is of the game's supply."""
    game: Any = candidate.game
    setup = game.setup()
    lying = set(game.expect(game.start(setup)).values())
    known = {game.look(token).face for token in tokens_of(game, setup)}
    strange = {token for token in lying if game.look(token).face not in known} - {"back"}
    assert not strange, f"not of the supply: {strange}"


@check(BRONZE, Highlights)
def highlights_have_names(candidate: CheckedGame) -> None:
    """Every mark that spots get is called something."""
    game: Any = candidate.game
    for state in walk(game):
        unnamed = set(game.highlights(state)) - set(game.marks)
        assert not unnamed, f"marks without words: {unnamed}"


@check(BRONZE, HiddenHands)
def what_is_hidden_lies_somewhere(candidate: CheckedGame) -> None:
    """Hidden tokens lie on spots and may be something; breaches quote rules."""
    game: Any = candidate.game
    for state in walk(game):
        for spot, may_be in game.unknown(state).items():
            assert spot in game.board(state.setup), f"{spot} is no spot"
            assert may_be, f"what lies on {spot} can be nothing"
        for breach in game.breaches(state):
            assert not breach.ruling.allowed, f"{breach.action} is a breach that was allowed"
            assert breach.ruling.rule in game.rules, f"{breach.action}: {breach.ruling.rule}"


@check(BRONZE, Situation)
def the_situation_is_told_in_sentences(candidate: CheckedGame) -> None:
    """What everybody should know is told in sentences."""
    game: Any = candidate.game
    for state in walk(game):
        assert all(str(one).strip() for one in game.situation(state)), "an empty sentence"


@check(BRONZE, CardTexts)
def cards_can_be_read(candidate: CheckedGame) -> None:
    """Cards that may be read have names, and a title over each of their sides."""
    game: Any = candidate.game
    for state in walk(game):
        for card in game.card_texts(state):
            assert card.name, "a card has no name"
            assert card.sides, f"{card.name} has nothing to read"
            assert all(side.title for side in card.sides), f"a side of {card.name} has no title"


@check(BRONZE, Props)
def what_lies_beside_spots_can_be_drawn(candidate: CheckedGame) -> None:
    """What pages draw beside the tokens on spots is a token that has a picture, or words."""
    game: Any = candidate.game
    for state in walk(game):
        for prop in game.props(state):
            assert bool(prop.token) != bool(prop.words), f"{prop} is not either a token or words"
            assert not prop.token or picture_of(game, state.setup, prop.token)
            assert prop.size > 0, f"{prop} has no size"
            assert prop.step in range(4), f"{prop} comes in no step from 1 to 3, nor at once (0)"


@check(BRONZE, OwnFields)
def what_is_for_one_seat_is_a_field(candidate: CheckedGame) -> None:
    """What a seat alone sees of its scorecard are fields."""
    game: Any = candidate.game
    for state in walk(game):
        for seat in state.setup.seats:
            assert all(field.label for field in game.own_fields(state, seat)), "a field has no name"


@check(BRONZE, EntryForms, ButtonWords)
def actions_can_be_entered(candidate: CheckedGame) -> None:
    """Forms and buttons of spoken actions have words."""
    game = candidate.game
    for state in walk(game):
        legal = game.legal(state)
        assert entries_of(game, state) is not None, "no forms"
        assert all(isinstance(said_by(game, action), str) for action in legal), "no words"


@check(BRONZE, DiceOnMat)
def dice_lie_in_zones(candidate: CheckedGame) -> None:
    """Dice should lie in zones of the mat."""
    game: Any = candidate.game
    for state in walk(game):
        zones = set(game.mat(state.setup).zones)
        assert set(game.dice(state)) <= zones, f"dice lie in no zone: {game.dice(state)}"


@check(BRONZE, OwnCards)
def owners_enter_their_cards(candidate: CheckedGame) -> None:
    """What owners enter begins with name and kind, and what is wrong with it is said."""
    game: Any = candidate.game
    assert [blank.name for blank in game.blanks()][:2] == ["name", "kind"], "name and kind first"
    _refused("cards that are none", lambda: game.check_owned({"cards": 3}))


@check(BRONZE, Exports)
def it_is_written_in_its_notations(candidate: CheckedGame) -> None:
    """A game is written in each of its notations."""
    game: Any = candidate.game
    start = game.start(game.setup())
    for notation in game.notations:
        told = game.notate(notation, start, list(game.legal(start))[:1], {})
        assert told.strip(), f"{notation} is empty"


def faces(game: AnyGame, state: Any) -> dict[str, str]:
    """Return what lies where in ``state``, however it is turned."""
    return {spot: game.look(token).face for spot, token in game.expect(state).items()}


def tokens(game: AnyGame) -> set[str]:
    """Return every token that is known of a game: of its supply, and seen in a random game."""
    seen = {token for state in walk(game) for token in game.expect(state).values()}
    return seen | set(tokens_of(game, game.setup()))
