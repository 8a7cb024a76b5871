"""What the players agree on before a game."""

from __future__ import annotations

from companion.games.victory_honor.geometry import SEATS, seat_name
from companion.rules import Option, option_words, say, worded

_YES_NO = ("yes", "no")
_CALLED = {**option_words(
    say("partners"), say("yes"), say("no"), say("rounds"), say("target"), say("later leader"),
    say("clockwise"), say("fewest"), say("same field"), say("name"), say("facing"), say("reopen"),
    say("bombarded opening"), say("rest fight"), say("lost"), say("multiply"), say("generals"),
    say("stars"), say("second colour"), say("blue"), say("green"),
    say("leader"), say("first"),
    say("spoils"), say("open"), say("hidden"), say("guide"),
), **{seat: seat_name(number) for number, seat in enumerate(SEATS)}}  # fmt: skip

OPTIONS = worded(_CALLED, (
    Option("partners", "yes", _YES_NO, "VH-2.2", say("players opposite each other are a team"),
           house_rule=False),
    Option("rounds", "4", ("4", "3"), "VH-11.1", say("rounds in a game"), house_rule=False),
    Option("target", "0", (), "VH-11.2",
           say("play until a team or player has so many points; 0 counts rounds"),
           house_rule=False),
    Option("later_leader", "clockwise", ("clockwise", "fewest"), "VH-3.2",
           say("who leads the later rounds: the next seat, or who has the fewest points")),
    Option("same_field", "name", ("name", "facing"), "VH-5.2",
           say("the position that is barred: the same one, or the one facing the card before")),
    Option("reopen", "yes", _YES_NO, "VH-6.4",
           say("a position may still be opened after its opening was sacrificed")),
    Option("bombarded_opening", "rest_fight", ("rest_fight", "lost"), "VH-9.6",
           say("when an opening card is bombarded the others fight on, or all face-up cards lose")),
    Option("multiply", "generals", ("generals", "stars"), "VH-10.2",
           say("numbered cards count times the generals, or times their stars")),
    Option("leader", "first", ("first", *SEATS), "VH-3.2",
           say("who leads the first round: the seat named first, or another; pages draw one"),
           drawn=True, house_rule=False),
    Option("spoils", "open", ("open", "hidden"), "VH-9.15",
           say("whether everybody sees all spoils, or each his own alone"), house_rule=False),
    Option("guide", "yes", _YES_NO, "VH-4.3",
           say("deal and pass are told step by step, and scouts name only what has an effect"),
           earlier=("no",)),
    Option("second_colour", "blue", ("blue", "green"), "VH-1.1",
           say("what the second regiment is called on your cards"), house_rule=False),
))  # fmt: skip
