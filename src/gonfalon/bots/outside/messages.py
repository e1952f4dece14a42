"""Sentences about programs, ready for translation: `NAME.format(...)` with the named parameters."""

from __future__ import annotations

from typing import Final

# ---- notations -----------------------------------------------------------------------------------------------------

NOTATIONS: Final = (
    "one of the levels {levels}, a level with iterations (expert:200), module:Class or FILE.py:Class of a program, "
    "FILE.npz of a network, openspiel:NAME, openspiel:module:function, or the address of a program (http://...)"
)
MEANT: Final = "{fault} Did you mean {text}?"
NO_BOT: Final = "{fault} A bot is {notations}."
BAD_ITERATIONS: Final = "{text} must end with a number of iterations from 1 to {limit}, as in {level}:200."
BAD_ADDRESS: Final = "{text} is not the address of a program, such as http://127.0.0.1:8000/."
NOT_LOADED: Final = "Cannot load {text} ({why})."
MAKES_NO_BOT: Final = "{text} makes no bot of {game} ({why})."
NOT_A_BOT: Final = "{text} makes no gonfalon.bots.Bot."
NO_THINK: Final = "{text} has no method think(view, budget, rng), which chooses the action."
NOT_CALLABLE: Final = "{text} is not a class or a function that makes bots."
NO_SPIEL_BOT: Final = "OpenSpiel has no bot {name}. It has {names}; module:function names one of your own."
NOT_STARTED: Final = "{text} could not be started ({why})."

# ---- chosen moves --------------------------------------------------------------------------------------------------

PROGRAM_CHOSE: Final = "The program chose it."
DRAWN: Final = "The program {fault}, so this move was drawn at random."
WARNING: Final = "The program {name} {fault}, so a move was drawn at random. GONFALON_BOT_OUTPUT=FILE keeps its errors."
CRASHED: Final = "crashed"
SLOW: Final = "did not answer in time"
UNREADABLE: Final = "gave an unreadable answer"
ILLEGAL: Final = "chose an illegal action"
TOO_LONG: Final = "gave too long an answer"
STOPPED: Final = "was stopped too often"
CHOSEN: Final = "{moves} chosen for {name}: {counts}."
FIRST: Final = " (first: {why})"
SEE_OUTPUT: Final = "GONFALON_BOT_OUTPUT=FILE keeps the tracebacks."
MOVE: Final = "1 move"
MOVES: Final = "{count} moves"

# ---- details of faults ---------------------------------------------------------------------------------------------

NO_ANSWER: Final = "no answer within {seconds:g} seconds"
PROCESS_ENDED: Final = "its process ended"
NOT_CHOICE: Final = "{answer} is no Choice of an action"
BAD_PART: Final = "a wrong type, size or action in {part} of the Choice"
NOT_WRITTEN: Final = "its Choice has values that JSON cannot hold"
NOT_LEGAL: Final = "{action} is not legal"
NOT_JSON: Final = 'it must answer with a JSON object that has an "action"'
STATUS: Final = "status {status}"
