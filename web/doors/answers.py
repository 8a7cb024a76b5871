"""What the API takes and answers, as types; the OpenAPI document is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

# -- answers -----------------------------------------------------------------------------------


class FaultTold(NamedTuple):
    """What is wrong."""

    code: Annotated[str, "for programs, such as stale_state"]
    message: Annotated[str, "one sentence for people, in the language of Accept-Language"]
    field: Annotated[str, "the field that did not fit"] = ""


class ProblemTold(NamedTuple):
    """Why a request was not carried out."""

    ok: Annotated[bool, "false"]
    error: FaultTold


class SeatTold(NamedTuple):
    """A seat of the game."""

    seat: Annotated[str, "its name in requests, such as white"]
    name: Annotated[str, "who plays it, empty where nobody has said so"]
    seconds: Annotated[float | None, "left on its clock, null without one"]


class ResultTold(NamedTuple):
    """How a game ended."""

    winners: Annotated[tuple[str, ...], "seats; none for a draw"]
    rule: Annotated[str, "the identifier of the rule, such as CH-5.1.1"]
    reason: Annotated[str, "one sentence for people"]
    by: Annotated[str, "rules, agreement, resignation or abort"]


class CameraTold(NamedTuple):
    """What the camera says of the table."""

    still: Annotated[bool, "nothing moves on it"]
    message: Annotated[str, "for people, empty while all is well"]
    differs: Annotated[tuple[str, ...], "spots that are not as the game stands"]
    lifted: Annotated[str | None, "the spot whose piece is in a hand"]
    lost: Annotated[bool, "it cannot tell what lies on the table"]


class GameTold(NamedTuple):
    """The game at the table, as everybody may see it."""

    number: Annotated[int, "grows with every game"]
    name: Annotated[str, "as commands have it"]
    title: str
    options: Mapping[str, str]
    state_id: Annotated[int, "grows with everything that happens; say it when you act"]
    seats: tuple[SeatTold, ...]
    to_move: Annotated[str | None, "the seat whose turn it is, null when the game is over"]
    position: Annotated[Mapping[str, str], "spot to token"]
    last: Annotated[tuple[str, ...], "the spots of the last action"]
    actions: Annotated[int, "how many have been made"]
    paused: bool
    result: Annotated[ResultTold | None, "null while the game goes on"]
    camera: CameraTold


class SpotTold(NamedTuple):
    """A place on the board, in millimetres: x to the east, y to the south, as it is printed."""

    spot: str
    x: float
    y: float
    outline: Annotated[tuple[tuple[float, ...], ...], "its corners, each x and y"]


class BoardTold(NamedTuple):
    """The board of the game."""

    spots: tuple[SpotTold, ...]


class WayTold(NamedTuple):
    """An action that could be made now."""

    action: Annotated[str, "as it is written in requests, such as e2-e4"]
    verb: str
    origin: str | None
    target: str | None


class WaysTold(NamedTuple):
    """Every legal action of the seat to move."""

    state_id: int
    actions: tuple[WayTold, ...]


class RulingTold(NamedTuple):
    """Whether an action is allowed, and why."""

    action: str
    allowed: bool
    rule: str
    reason: Annotated[str, "one sentence for people"]
    spots: Annotated[tuple[str, ...], "those that prove it"]


class EventTold(NamedTuple):
    """Something that happened in the game."""

    seq: Annotated[int, "its number; grows over all games"]
    at: Annotated[float, "seconds since 1970"]
    kind: Annotated[str, "action, refused, undone, corrected, ruled, arranged, started, ended, …"]
    actor: Annotated[str, "a seat, camera, host, referee, …"]
    seat: Annotated[str | None, "whose turn it was"]
    action: str | None
    ruling: RulingTold | None


class EventsTold(NamedTuple):
    """What happened, the oldest first; ask again with the last number for what came since."""

    game: int
    events: tuple[EventTold, ...]


class TurnTold(NamedTuple):
    """Whose turn it is: the event ``turn`` of the stream."""

    game: int
    state_id: int
    seat: str | None


class ScoredTold(NamedTuple):
    """What a seat's scorecard says as a whole."""

    seat: str
    score: int | None
    status: str


class ScoresTold(NamedTuple):
    """The scorecards of all seats."""

    seats: tuple[ScoredTold, ...]


class PastTold(NamedTuple):
    """A game that is kept."""

    number: int
    game: str
    seats: tuple[str, ...]
    players: Annotated[Mapping[str, str], "seat to name"]
    begun: Annotated[float, "seconds since 1970"]
    over: Annotated[float | None, "seconds since 1970, null while it goes on"]
    actions: int
    winners: Annotated[tuple[str, ...] | None, "null where it has no result"]


class PastGamesTold(NamedTuple):
    """All games that are kept, the newest first."""

    games: tuple[PastTold, ...]


class CorrectionTold(NamedTuple):
    """What the last action may have been instead."""

    actions: tuple[str, ...]
    text: Annotated[str, "the same for people"]


class CorrectionsTold(NamedTuple):
    """What else the last action may have been, the likeliest first."""

    state_id: Annotated[int, "say it when you correct"]
    replaced: Annotated[int, "how many of the last actions give way; 0 where nothing was done yet"]
    readings: tuple[CorrectionTold, ...]


class CorrectedTold(NamedTuple):
    """The ruling on the last of the actions that took the place of others."""

    allowed: bool
    reason: Annotated[str, "one sentence for people"]


class SettingsTold(NamedTuple):
    """What the host has set at the table; what it does not have is null."""

    play: Annotated[str, "who enters the moves: camera or phone"]
    sound: Annotated[bool, "phones make sounds"]
    speech: Annotated[bool, "phones say the moves aloud"]
    act_for_others: Annotated[bool, "anybody seated may act for a seat without a phone"]
    advice: Annotated[bool, "a machine gives advice"]
    take_back_offers: Annotated[bool, "a machine offers to take back what gives much away"]
    keep_days: Annotated[int, "photographs are kept so long; 0 for ever"]
    keep_megabytes: Annotated[int, "room for photographs"]
    lights: Annotated[str | None, "what is lit: full, errors or off"] = None
    brightness: Annotated[int | None, "percent, as the eye sees it"] = None
    night: Annotated[str | None, "such as 22:00-07:00, on, or empty for never"] = None
    night_brightness: Annotated[int | None, "percent at night"] = None


class DoneTold(NamedTuple):
    """It was done."""

    state_id: Annotated[int, "of the table now"]


# -- requests ----------------------------------------------------------------------------------


class SinceAsked(NamedTuple):
    """From where on."""

    after: Annotated[int, "the number of the last event that is known"] = 0


class QuestionAsked(NamedTuple):
    """What is ruled on without being played."""

    action: Annotated[str, "such as e2-e4"]


class PlayAsked(NamedTuple):
    """An action of the seat to move."""

    action: Annotated[str, "such as e2-e4, or a word of the game such as end"]
    state_id: Annotated[int, "of the position that it is meant for"]


class ResignAsked(NamedTuple):
    """A seat gives up."""

    seat: str
    state_id: int


class DrawAsked(NamedTuple):
    """A draw is offered or answered."""

    answer: Annotated[str, "offer, accept or decline"]
    seat: str
    state_id: int


class LightAsked(NamedTuple):
    """Spots that a program points at."""

    spots: Annotated[tuple[str, ...], "none puts them out"]
    seconds: Annotated[int, "for how long, 600 at most"] = 10


class PauseAsked(NamedTuple):
    """Whether the game rests."""

    paused: bool


class UndoAsked(NamedTuple):
    """Actions are taken back."""

    actions: Annotated[int, "how many"]
    state_id: int


class SpotAsked(NamedTuple):
    """Which corrections are asked for."""

    spot: Annotated[str, "only those with an end there; all if empty"] = ""


class CorrectAsked(NamedTuple):
    """What was really done instead of the last actions."""

    actions: Annotated[tuple[str, ...], "as they are written in requests"]
    replaced: Annotated[int, "how many of the last actions give way"]
    state_id: int


class SettingsAsked(NamedTuple):
    """Settings to change; those that are left out stay as they are."""

    play: Annotated[str | None, "who enters the moves: camera or phone"] = None
    sound: bool | None = None
    speech: bool | None = None
    act_for_others: bool | None = None
    advice: bool | None = None
    take_back_offers: bool | None = None
    keep_days: int | None = None
    keep_megabytes: int | None = None
    lights: Annotated[str | None, "what is lit: full, errors or off"] = None
    brightness: Annotated[int | None, "percent, as the eye sees it"] = None
    night: Annotated[str | None, "such as 22:00-07:00, on, or empty for never"] = None
    night_brightness: int | None = None


class BeginAsked(NamedTuple):
    """Another game begins; the present one is kept."""

    game: Annotated[str, "its name, as commands have it"]
    seats: Annotated[tuple[str, ...] | None, "in the order of play; the usual ones if none"] = None
    options: Mapping[str, str] = {}
