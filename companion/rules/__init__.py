"""What a game is. Pure: no files but the rule texts, no clock, no camera, no web."""

from companion.rules.action import Action, read_action, write_action
from companion.rules.clock import ANNOUNCED, Clock, Limits
from companion.rules.entry import Choice, Entry
from companion.rules.errors import (
    BadInput,
    CompanionError,
    GameFault,
    HardwareFault,
)
from companion.rules.game import (
    Effect,
    Field,
    Game,
    Look,
    Outcome,
    Position,
    Problem,
    Scorecard,
)
from companion.rules.geometry import Board, Drawing, Point, Spot, Stroke
from companion.rules.given import quoted, read_json, read_toml, whole_number
from companion.rules.hidden import BACK, Breach, Holding, so_far, things
from companion.rules.mat import DieKind, Lying, Mat, MatReading
from companion.rules.options import Option, Seating, Setup
from companion.rules.own import Blank
from companion.rules.perft import perft
from companion.rules.record import Record, read_record, write_record
from companion.rules.ruling import IllegalAction, Rule, RuleBook, Ruling, Uncertain, rule_book
from companion.rules.unknown import (
    damaged,
    loading,
    no_action,
    unknown_seat,
    unknown_spot,
    unknown_token,
)
from companion.rules.words import Text, Translate, call, called, say, tell

__all__ = [
    "ANNOUNCED",
    "BACK",
    "Action",
    "BadInput",
    "Blank",
    "Board",
    "Breach",
    "Choice",
    "Clock",
    "CompanionError",
    "DieKind",
    "Drawing",
    "Effect",
    "Entry",
    "Field",
    "Game",
    "GameFault",
    "HardwareFault",
    "Holding",
    "IllegalAction",
    "Limits",
    "Look",
    "Lying",
    "Mat",
    "MatReading",
    "Option",
    "Outcome",
    "Point",
    "Position",
    "Problem",
    "Record",
    "Rule",
    "RuleBook",
    "Ruling",
    "Scorecard",
    "Seating",
    "Setup",
    "Spot",
    "Stroke",
    "Text",
    "Translate",
    "Uncertain",
    "call",
    "called",
    "damaged",
    "loading",
    "no_action",
    "perft",
    "quoted",
    "read_action",
    "read_json",
    "read_record",
    "read_toml",
    "rule_book",
    "say",
    "so_far",
    "tell",
    "things",
    "unknown_seat",
    "unknown_spot",
    "unknown_token",
    "whole_number",
    "write_action",
    "write_record",
]
