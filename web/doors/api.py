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
def read_game(context: Context, caller: Caller, asked: Any) -> told.GameTold:
    """Tell the game at the table: position, whose turn, clocks, result."""
    return game_of(context)


@operation("GET", "/game/board", "read", told.BoardTold)
def read_board(context: Context, caller: Caller, asked: Any) -> told.BoardTold:
    """Tell where the spots of the board lie."""
    table = context.shown
    board = table.game.board(table.setup)
    spots = board.spots.values()
    return told.BoardTold(tuple(told.SpotTold(one.name, *one.centre, one.outline) for one in spots))


@operation("GET", "/game/legal", "read", told.WaysTold)
def read_legal(context: Context, caller: Caller, asked: Any) -> told.WaysTold:
    """Tell every legal action of the seat to move."""
    return told.WaysTold(context.shown.state_id, actions_of(context.shown))


@operation("GET", "/game/ruling", "read", told.RulingTold, told.QuestionAsked)
def read_ruling(context: Context, caller: Caller, asked: told.QuestionAsked) -> told.RulingTold:
    """Rule on an action. Nothing is played."""
    table = context.shown
    action = table.game.parse(table.setup, asked.action)
    return ruling_of(table.game.format(action), table.game.judge(table.state, action))


@operation("GET", "/game/scores", "read", told.ScoresTold)
def read_scores(context: Context, caller: Caller, asked: Any) -> told.ScoresTold:
    """Tell what the scorecards say."""
    table = context.shown
    cards = table.game.scorecards(table.state)
    return told.ScoresTold(
        tuple(told.ScoredTold(card.seat, card.score, card.status) for card in cards)
    )


@operation("GET", "/game/events", "read", told.EventsTold, told.SinceAsked)
def read_events(context: Context, caller: Caller, asked: told.SinceAsked) -> told.EventsTold:
    """Tell what happened in this game, the refused too."""
    table = context.shown
    since = table.events(asked.after)
    return told.EventsTold(
        table.game_id, tuple(event_of(table, one) for one in since if one.kind in CHANGES)
    )


@operation("GET", "/games", "read", told.PastGamesTold)
def read_games(context: Context, caller: Caller, asked: Any) -> told.PastGamesTold:
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
            for one in past_games(context.evening.journal)
        )
    )


@operation("GET", "/games/{number}/picture", "read", SVG)
def read_picture(context: Context, caller: Caller, asked: Any, number: str) -> str:
    """Draw the board of a game after its last action, with names and ruling, as SVG."""
    return keepsake(*archive.still(context, archive.numbered_game(number)))


@operation("GET", "/games/{number}/play", "read", "application/json")
def read_play(context: Context, caller: Caller, asked: Any, number: str) -> dict[str, Any]:
    """Tell the result of a game as apps that log plays take it (BG Stats, and by it
    BoardGameGeek)."""
    shown = archive.found(context, archive.numbered_game(number))
    return play_file(archive.sheet(shown), shown.number, translator(current()), shown.over)


@operation("POST", "/game/actions", "play", told.RulingTold, told.PlayAsked)
def play_action(context: Context, caller: Caller, asked: told.PlayAsked) -> told.RulingTold:
    """Make an action for the seat to move. What is spoken is said, what moves a piece is entered
    as on a phone, which is refused (`camera_plays`) while a camera reads the table: somebody makes
    the move there. An illegal action is answered with its ruling, and kept."""
    table = context.table
    action = table.game.parse(table.setup, asked.action)
    spoken = action.origin is None and action.target is None
    ruled, _ = (playing.speak if spoken else playing.move)(context, asked._asdict(), caller.person)
    return told.RulingTold(asked.action, ruled["allowed"], ruled["rule"], ruled["reason"], ())


@operation("POST", "/game/resign", "play", told.DoneTold, told.ResignAsked)
def resign(context: Context, caller: Caller, asked: told.ResignAsked) -> told.DoneTold:
    """Give up for a seat."""
    playing.give_up(context, asked._asdict(), caller.person)
    return _done(context)


@operation("POST", "/game/draw", "play", told.DoneTold, told.DrawAsked)
def draw(context: Context, caller: Caller, asked: told.DrawAsked) -> told.DoneTold:
    """Offer a draw for a seat, or answer an offer."""
    playing.draw(context, asked._asdict(), caller.person)
    return _done(context)


@operation("POST", "/lights", "play", told.DoneTold, told.LightAsked)
def light(context: Context, caller: Caller, asked: told.LightAsked) -> told.DoneTold:
    """Show spots by the lights, for so long or until something happens. What has to be mended or
    answered at the table goes first."""
    context.machines.point(asked.spots, float(asked.seconds))
    context.streams.publish()
    return _done(context)


@operation("POST", "/game/pause", "host", told.DoneTold, told.PauseAsked)
def pause(context: Context, caller: Caller, asked: told.PauseAsked) -> told.DoneTold:
    """Let the game rest, or go on."""
    playing.pause(context, asked._asdict(), caller.person)
    return _done(context)


@operation("POST", "/game/undo", "host", told.DoneTold, told.UndoAsked)
def undo(context: Context, caller: Caller, asked: told.UndoAsked) -> told.DoneTold:
    """Take the last actions back."""
    body = {"count": asked.actions, "state_id": asked.state_id}
    playing.undo(context, body, caller.person)
    return _done(context)


@operation("GET", "/game/corrections", "read", told.CorrectionsTold, told.SpotAsked)
def read_corrections(
    context: Context, caller: Caller, asked: told.SpotAsked
) -> told.CorrectionsTold:
    """Tell what else the last action may have been, by its picture and the rules."""
    state_id, found = context.shown.state_id, readings(context, asked.spot or None)
    some = (told.CorrectionTold(tuple(one["actions"]), one["text"]) for one in found["readings"])
    return told.CorrectionsTold(state_id, found["count"], tuple(some))


@operation("POST", "/game/corrections", "host", told.CorrectedTold, told.CorrectAsked)
def correct(context: Context, caller: Caller, asked: told.CorrectAsked) -> told.CorrectedTold:
    """Put what was really done in the place of the last actions, which were read wrongly."""
    body = {"actions": list(asked.actions), "count": asked.replaced, "state_id": asked.state_id}
    ruled, _ = playing.correct(context, body, caller.person)
    return told.CorrectedTold(**ruled)


@operation("GET", "/settings", "read", told.SettingsTold)
def read_settings(context: Context, caller: Caller, asked: Any) -> told.SettingsTold:
    """Tell what the host has set at the table."""
    return told.SettingsTold(**context.views.settings())


@operation("POST", "/settings", "host", told.SettingsTold, told.SettingsAsked)
def change_settings(
    context: Context, caller: Caller, asked: told.SettingsAsked
) -> told.SettingsTold:
    """Change settings of the table and its lights; they are kept."""
    changes = {name: value for name, value in asked._asdict().items() if value is not None}
    changed, _ = hosting.change(context, changes, caller.person)
    return told.SettingsTold(**changed["settings"])


@operation("POST", "/game", "host", told.DoneTold, told.BeginAsked)
def begin_game(context: Context, caller: Caller, asked: told.BeginAsked) -> told.DoneTold:
    """Begin another game. The present one is kept."""
    context.evening.begin(asked.game, asked.seats, asked.options)
    return _done(context)


def _done(context: Context) -> told.DoneTold:
    return told.DoneTold(context.table.state_id)
