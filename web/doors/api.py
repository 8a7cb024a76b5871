"""What other programs may ask, operation by operation."""

from __future__ import annotations

from typing import Any

from companion.referee.play_file import play_file
from companion.table.past_games import past_games
from web.context import Context
from web.doors import answers as told
from web.doors.operations import Caller, operation
from web.doors.telling import CHANGES, actions_of, event_of, game_of, ruling_of
from web.judging import readings
from web.keepsake import keepsake
from web.language import current, translator
from web.routes import archive, hosting, playing

SVG = "image/svg+xml"


@operation("GET", "/game", "read", told.GameTold)
def read_game(house: Context, caller: Caller, asked: Any) -> told.GameTold:
    """Tell the game at the table: position, whose turn, clocks, result."""
    return game_of(house)


@operation("GET", "/game/board", "read", told.BoardTold)
def read_board(house: Context, caller: Caller, asked: Any) -> told.BoardTold:
    """Tell where the spots of the board lie."""
    table = house.shown
    board = table.game.board(table.setup)
    spots = board.spots.values()
    return told.BoardTold(tuple(told.SpotTold(one.name, *one.centre, one.outline) for one in spots))


@operation("GET", "/game/legal", "read", told.WaysTold)
def read_legal(house: Context, caller: Caller, asked: Any) -> told.WaysTold:
    """Tell every legal action of the seat to move."""
    return told.WaysTold(house.shown.state_id, actions_of(house.shown))


@operation("GET", "/game/ruling", "read", told.RulingTold, told.QuestionAsked)
def read_ruling(house: Context, caller: Caller, asked: told.QuestionAsked) -> told.RulingTold:
    """Rule on an action. Nothing is played."""
    table = house.shown
    action = table.game.parse(table.setup, asked.action)
    return ruling_of(table.game.format(action), table.game.judge(table.state, action))


@operation("GET", "/game/scores", "read", told.ScoresTold)
def read_scores(house: Context, caller: Caller, asked: Any) -> told.ScoresTold:
    """Tell what the scorecards say."""
    table = house.shown
    cards = table.game.scorecards(table.state)
    return told.ScoresTold(
        tuple(told.ScoredTold(card.seat, card.score, card.status) for card in cards)
    )


@operation("GET", "/game/events", "read", told.EventsTold, told.SinceAsked)
def read_events(house: Context, caller: Caller, asked: told.SinceAsked) -> told.EventsTold:
    """Tell what happened in this game, the refused too."""
    table = house.shown
    since = table.events(asked.after)
    return told.EventsTold(
        table.game_id, tuple(event_of(table, one) for one in since if one.kind in CHANGES)
    )


@operation("GET", "/games", "read", told.PastGamesTold)
def read_games(house: Context, caller: Caller, asked: Any) -> told.PastGamesTold:
    """Tell all games that are kept."""
    return told.PastGamesTold(
        tuple(
            told.PastTold(
                one.number,
                one.header.name,
                tuple(one.header.seats),
                one.players,
                one.begun,
                one.over,
                one.actions,
                None if one.outcome is None else tuple(one.outcome["winners"]),
            )
            for one in past_games(house.evening.journal)
        )
    )


@operation("GET", "/games/{number}/picture", "read", SVG)
def read_picture(house: Context, caller: Caller, asked: Any, number: str) -> str:
    """Draw the board of a game after its last action, with names and ruling, as SVG."""
    return keepsake(*archive.still(house, archive.numbered_game(number)))


@operation("GET", "/games/{number}/play", "read", "application/json")
def read_play(house: Context, caller: Caller, asked: Any, number: str) -> dict[str, Any]:
    """Tell the result of a game as apps that log plays take it (BG Stats, and by it
    BoardGameGeek)."""
    shown = archive.found(house, archive.numbered_game(number))
    return play_file(archive.sheet(shown), shown.number, translator(current()), shown.over)


@operation("POST", "/game/actions", "play", told.RulingTold, told.PlayAsked)
def play_action(house: Context, caller: Caller, asked: told.PlayAsked) -> told.RulingTold:
    """Make an action for the seat to move. What is spoken is said, what moves a piece is entered
    as on a phone, which is refused (`camera_plays`) while a camera reads the table: somebody makes
    the move there. An illegal action is answered with its ruling, and kept."""
    table = house.table
    action = table.game.parse(table.setup, asked.action)
    spoken = action.origin is None and action.target is None
    ruled, _ = (playing.speak if spoken else playing.move)(house, asked._asdict(), caller.person)
    return told.RulingTold(asked.action, ruled["allowed"], ruled["rule"], ruled["reason"], ())


@operation("POST", "/game/resign", "play", told.DoneTold, told.ResignAsked)
def resign(house: Context, caller: Caller, asked: told.ResignAsked) -> told.DoneTold:
    """Give up for a seat."""
    playing.give_up(house, asked._asdict(), caller.person)
    return _done(house)


@operation("POST", "/game/draw", "play", told.DoneTold, told.DrawAsked)
def draw(house: Context, caller: Caller, asked: told.DrawAsked) -> told.DoneTold:
    """Offer a draw for a seat, or answer an offer."""
    playing.draw(house, asked._asdict(), caller.person)
    return _done(house)


@operation("POST", "/lights", "play", told.DoneTold, told.LightAsked)
def light(house: Context, caller: Caller, asked: told.LightAsked) -> told.DoneTold:
    """Show spots by the lights, for so long or until something happens. What has to be mended or
    answered at the table goes first."""
    house.machines.point(asked.spots, float(asked.seconds))
    house.streams.publish()
    return _done(house)


@operation("POST", "/game/pause", "host", told.DoneTold, told.PauseAsked)
def pause(house: Context, caller: Caller, asked: told.PauseAsked) -> told.DoneTold:
    """Let the game rest, or go on."""
    playing.pause(house, asked._asdict(), caller.person)
    return _done(house)


@operation("POST", "/game/undo", "host", told.DoneTold, told.UndoAsked)
def undo(house: Context, caller: Caller, asked: told.UndoAsked) -> told.DoneTold:
    """Take the last actions back."""
    body = {"count": asked.actions, "state_id": asked.state_id}
    playing.undo(house, body, caller.person)
    return _done(house)


@operation("GET", "/game/corrections", "read", told.CorrectionsTold, told.SpotAsked)
def read_corrections(house: Context, caller: Caller, asked: told.SpotAsked) -> told.CorrectionsTold:
    """Tell what else the last action may have been, by its picture and the rules."""
    state_id, found = house.shown.state_id, readings(house, asked.spot or None)
    some = (told.CorrectionTold(tuple(one["actions"]), one["text"]) for one in found["readings"])
    return told.CorrectionsTold(state_id, found["count"], tuple(some))


@operation("POST", "/game/corrections", "host", told.CorrectedTold, told.CorrectAsked)
def correct(house: Context, caller: Caller, asked: told.CorrectAsked) -> told.CorrectedTold:
    """Put what was really done in the place of the last actions, which were read wrongly."""
    body = {"actions": list(asked.actions), "count": asked.replaced, "state_id": asked.state_id}
    ruled, _ = playing.correct(house, body, caller.person)
    return told.CorrectedTold(**ruled)


@operation("GET", "/settings", "read", told.SettingsTold)
def read_settings(house: Context, caller: Caller, asked: Any) -> told.SettingsTold:
    """Tell what the host has set at the table."""
    return told.SettingsTold(**house.views.settings())


@operation("POST", "/settings", "host", told.SettingsTold, told.SettingsAsked)
def change_settings(house: Context, caller: Caller, asked: told.SettingsAsked) -> told.SettingsTold:
    """Change settings of the table and its lights; they are kept."""
    changes = {name: value for name, value in asked._asdict().items() if value is not None}
    changed, _ = hosting.change(house, changes, caller.person)
    return told.SettingsTold(**changed["settings"])


@operation("POST", "/game", "host", told.DoneTold, told.BeginAsked)
def begin_game(house: Context, caller: Caller, asked: told.BeginAsked) -> told.DoneTold:
    """Begin another game. The present one is kept."""
    house.evening.begin(asked.game, asked.seats, asked.options)
    return _done(house)


def _done(house: Context) -> told.DoneTold:
    return told.DoneTold(house.table.state_id)
