"""What is chosen before a game, and the readings of the rules that the options stand for."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from companion.games.hoplomachus.cards import INVENTED, LIEUTENANT, OWN, by_kind, invented
from companion.rules import Option, option_words, say, worded

_CALLED = option_words(
    say("rank"), say("lieutenant"), say("random"), say("Legate"), say("Tribune"), say("Prefect"),
    say("Centurion"), say("Quaestor"), say("Praetor"), say("Aedile"), say("Consul"), say("Censor"),
    say("cards"), say("invented"), say("own"), say("deal"), say("instant rewards"), say("all"),
    say("sport"), say("allies"), say("oldest"), say("keep hits"), say("yes"), say("no"),
    say("must assign"), say("item times"), say("windows"), say("any"), say("later effects"),
    say("standing"), say("last fall"), say("wins"), say("effects first"), say("stat limit"),
    say("none"), say("surplus items"), say("discard"), say("keep"), say("no way"), say("nearest"),
)  # fmt: skip

OPTIONS = worded(_CALLED, (
    Option("rank", "1", ("1", "2", "3", "4", "5"), "HV-12.1", say("the difficulty rank"),
           house_rule=False),
    Option("lieutenant", "random", ("random", *by_kind(invented(), LIEUTENANT)), "HV-3.1",
           say("who waits at the top; among cards of your own he is chosen in the game"),
           house_rule=False),
    Option("cards", INVENTED, (INVENTED, OWN), "HV-1.1",
           say("the cards that were invented for trying the game out, or those you have entered"),
           house_rule=False),
    Option("deal", "1", (), "HV-3.2", say("the number of the shuffle; pages draw one"),
           most=999_999_999, drawn=True, house_rule=False),
    Option("instant_rewards", "all", ("all", "sport"), "HV-6.5",
           say("whose instant reward is taken: every defeated enemy's, or a Sport card's alone"),
           earlier=("sport",)),
    Option("allies", "random", ("random", "oldest"), "HV-11.4",
           say("which allies come from the discard in the Final: drawn, or those that lie lowest"),
           earlier=("oldest",)),
    Option("keep_hits", "no", ("no", "yes"), "HV-6.2",
           say("active dice that show hits may be kept from the next roll")),
    Option("must_assign", "no", ("no", "yes"), "HV-6.3",
           say("every hit that can be has to be assigned")),
    Option("item_times", "windows", ("windows", "any"), "HV-6.6",
           say("when items are used: before a move, before engaging, before assigning, "
               "or any time")),
    Option("later_effects", "all", ("all", "standing"), "HV-7.2",
           say("whose effects are carried out after the damage: defeated enemies' too, or not")),
    Option("last_fall", "wins", ("wins", "effects_first"), "HV-11.6",
           say("the last enemy of the Final falls: that wins at once, or after the "
               "effects of cards")),
    Option("stat_limit", "6", ("6", "none"), "HV-1.5", say("the most that a stat can be")),
    Option("surplus_items", "discard", ("discard", "keep"), "HV-8.5",
           say("what becomes of items when Strategy falls below their number")),
    Option("no_way", "nearest", ("nearest", "any"), "HV-5.2",
           say("where the chip goes that no way leads from: to the nearest camp, or to any")),
))  # fmt: skip


class House(NamedTuple):
    """The readings of the rules by which a game is played."""

    all_instant: bool
    allies_drawn: bool
    keeps_hits: bool
    must_assign: bool
    items_any_time: bool
    all_later: bool
    effects_before_win: bool
    most: int
    """The greatest value of a stat."""
    keeps_surplus: bool
    goes_anywhere: bool


UNLIMITED = 99
"""The greatest value of a stat where nothing limits it."""


@cache
def house_of(options: tuple[tuple[str, str], ...]) -> House:
    """Return the readings that ``options``, names with their values, stand for."""
    chosen = dict(options)
    return House(
        chosen["instant_rewards"] == "all",
        chosen["allies"] == "random",
        chosen["keep_hits"] == "yes",
        chosen["must_assign"] == "yes",
        chosen["item_times"] == "any",
        chosen["later_effects"] == "all",
        chosen["last_fall"] == "effects_first",
        6 if chosen["stat_limit"] == "6" else UNLIMITED,
        chosen["surplus_items"] == "keep",
        chosen["no_way"] == "any",
    )
