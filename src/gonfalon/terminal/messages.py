"""Messages of the terminal, ready for translation: `NAME.format(...)` with the named parameters."""

from __future__ import annotations

from typing import Final

# ---- help --------------------------------------------------------------------------------------------------------

GAME_HELP: Final = """\
Type the number of an action, or its notation (for example: {example}).
  why not ACTION   the rule that forbids it now
  hint             the move that a bot would make here
  back             undo your last decision
  look             show the table again
  actions          show the legal actions again
  log              show all events
  card NAME        show the text of a card
  quit             leave; the game is saved
  help             show this text"""
LESSON_HELP: Final = """\
Type the number of an action, or its notation (for example: {example}).
  look             show the table again
  actions          show the legal actions again
  card NAME        show the text of a card
  quit             leave
  help             show this text"""
TABLE_HELP: Final = """\
Type the number of an action, or its notation.
  why not ACTION   the rule that forbids it now{hint}
  back             undo your last decision, or ask for it
  look             show the table again
  actions          show the legal actions again
  log              show all events
  card NAME        show the text of a card
  who              show the people at the table
  say GREETING     one of: {greetings}
  quit             leave; the table waits for you
  help             show this text"""
HINT_HELP: Final = "\n  hint             the move that a bot would make here"
LESSON_START: Final = (
    "Enter continues. At a question type the number of an action or its notation. q leaves, ? shows help."
)
REPLAY_HELP: Final = "Enter: next step · b: back · a: all the rest · q: quit"
OWN_CARDS: Final = "Cards: {name}. {changes}."
UNNAMED_CARDS: Final = "own"
CHANGED_FROM: Final = "changed from {before}"
CARD_CHANGE: Final = "{title} {before} → {after}"
MORE_CHANGES: Final = "{count} more"
GAME_START: Final = "{game}. Type help for a list of commands."

# ---- typed lines -------------------------------------------------------------------------------------------------

NO_ACTION: Final = "There is no action {number}. The actions are numbered 1 to {count}."
TYPE_ACTION: Final = "Type the number of an action or its notation, or help."
TYPE_HELP: Final = "{fault} Type help for help."
DID_YOU_MEAN: Final = "{fault} Did you mean {name}?"
WHICH_ACTION: Final = "Which action? For example: why not {action}"
IS_LEGAL: Final = "This is legal. Type it to choose it."
NO_CARD: Final = "There is no card {name} here."
WHICH_CARD: Final = "Which card? Type: card NAME"
TIP: Final = "Tip: {tip}"
HINT: Final = "I suggest: {choice}"
DONE: Final = "Done."

# ---- decisions ---------------------------------------------------------------------------------------------------

NO_DECISION: Final = "There is nothing for you to decide now."
GAME_OVER: Final = "The game is over."
NOT_YOUR_TURN: Final = "It is not your turn."
HINT_ON_TURN: Final = "You can ask for a hint on your turn."
SPECTATOR: Final = "You are a spectator."
REPLAY: Final = "This is a replay. You can only look."
CARD_FIRST: Final = "Select a card first, with Enter or its digit, then this place."
LEGAL_SPOT: Final = "This is legal. Press Enter to choose it."
READ_ONLY: Final = "You can only read this now."
NOT_NOW: Final = "You cannot do this now."
THINKING: Final = "Thinking …"
NO_RULES: Final = "This game is not installed here, so its cards cannot be looked up."
PASS_DEVICE: Final = "Hand the device to {player}, then press {key}."
NO_STEP: Final = "There is no step {number}."

# ---- undo --------------------------------------------------------------------------------------------------------

NO_UNDO: Final = "There is nothing to undo."
UNDO_SHARED: Final = "Undo is not available when several people share a device."
UNDO_LATE: Final = "Too late to undo: the game has moved on."
UNDO_WAIT: Final = "Wait until it is your turn."
UNDO_ASKED: Final = "You have asked for an undo."
UNDO_EXPIRED: Final = "The undo request has expired."
ALLOW_UNDO: Final = "Allow {player} to undo their last decision."
REFUSE_UNDO: Final = "Refuse."

# ---- screens -----------------------------------------------------------------------------------------------------

ENTER: Final = "Enter"
SELECTED: Final = "Selected: {card}. Esc cancels."
LOG: Final = "Log"
NO_LOG: Final = "Nothing has happened yet."
LOOK_UP: Final = "Look up a card"
LOOK_UP_HELP: Final = "type a part of its name · Esc closes"
PART_OF_NAME: Final = "a part of its name"
NO_SUCH_CARD: Final = "There is no such card."
SHOW_GREETINGS: Final = "Show greetings again"
HIDE_GREETINGS: Final = "Hide greetings"
GREET: Final = "Greet"
LEAVE: Final = "Leave?"
STAY: Final = "Stay"
LEAVE_SAVED: Final = "Leave; the game is kept"
PLAY: Final = "Play"
MORE_OPTIONS: Final = "{count} more options"
FIRST_GAME: Final = "Guided first game, {minutes} minutes"
PUZZLE_OF_DAY: Final = "Puzzle of the day"
CARDS: Final = "Cards"
STANDARD_CARDS: Final = "standard"
TYPE_CARD_FILE: Final = "standard, or type a file name"
ABOUT_CARDS: Final = (
    "For own cards type the name of a file: a card file, or lines that change numbers, such as card.number = 7."
)
CONTINUE: Final = "Continue"
OPPONENT: Final = "Opponent"
OPPONENT_NUMBER: Final = "Opponent {number}"
YOUR_FACTION: Final = "Your faction"
THEIR_FACTION: Final = "Their faction"
YOUR_DECK: Final = "Your deck"
THEIR_DECK: Final = "Their deck"
YES: Final = "yes"
NO: Final = "no"
BEGINNING: Final = "The beginning"
END: Final = "The end"
GO_TO: Final = "Go to"
GO_TO_HELP: Final = "a round, or the number of a step"
CHANCE: Final = "Chance"
STEP: Final = "Step {number} of {count}{moment}, {seen}."
DID: Final = "{player}: {action}."
ALL_OPEN: Final = "all cards open"
AS_SPECTATORS: Final = "as spectators saw it"
AS_PLAYER: Final = "as {player} saw it"

# ---- seats and bots ----------------------------------------------------------------------------------------------

NO_SEAT: Final = "There is no seat {seat}. The seats of {game} are 0 to {last}."
SEAT_HAS_BOT: Final = "--seat {seat} gives you that seat, but --bots gives it to {level}."
WRONG_BOTS: Final = (
    "--bots names {given} levels, but {game} has {seats} seats. Name {others} for the other seats, or {seats} for all."
)
NO_LEVEL: Final = "There is no level {level}. Did you mean {person}, or --bots none?"

# ---- records and saved games -------------------------------------------------------------------------------------

OTHER_GAME: Final = "{file} is a record of {game}, not of {wanted}."
OTHER_OPTIONS: Final = "{file} was started with other options. Leave out --option to continue it."
FINISHED: Final = "{file} contains a finished game. Show it with `gonfalon replay {file}`."
RECORD_WRITTEN: Final = "The record was written to {file}. Do not read it: it contains all hidden cards."
RECORD_IN_REVIEW: Final = "The record is in {file}. `gonfalon review` shows the turning points."
SAVED: Final = "The game is saved. Continue with `gonfalon play {game} --record {file}`."
SAVED_MENU: Final = "The game is saved. Continue with `gonfalon play`, or with --record {file}."
STOPPED: Final = "The game stops here."
WHOLE_GAME: Final = "The whole game, as spectators saw it:"
TABLE_CLOSED: Final = "The table was closed: {reason}{seat}."

# ---- lessons and puzzles -----------------------------------------------------------------------------------------

NO_FIRST_GAME: Final = "There is no guided first game of {game} yet."
KNOWN_LESSONS: Final = "{fault} The lessons are {names}."
REAL_GAME: Final = "Start a real game with `gonfalon play {game}`."
PUZZLE: Final = "{game}: {title}, {kind}"
PUZZLE_START: Final = "{question} q leaves, ? shows help."
PUZZLE_SOLVED: Final = "Right. {reason}"
PUZZLE_FRAME: Final = "{heading}. {news}"

# ---- bots at a server --------------------------------------------------------------------------------------------

BOT_CONNECTED: Final = "Connected to {server} as {name}."
BOT_RECONNECTS: Final = "The connection has ended. Next attempt in {seconds} s."
BOT_ACCEPTS: Final = "{table}: accepted a challenge to {game} with {names}."
BOT_DECLINES: Final = "{table}: declined a challenge to {game}, which is not installed here."
BOT_BEGUN: Final = "{table}: {game} with {names}."
BOT_PLAYS: Final = "{table}: {action} after {seconds} s."
BOT_CANNOT: Final = "{table}: {action} is drawn at random, because the bot failed: {fault}"
BOT_FAILED: Final = "{table}: {reason}"
BOT_RETURNS: Final = "{table}: took the seat back from the bot of the server."
BOT_ENDED: Final = "{table}: {result}"
BOT_WITHDRAWN: Final = "{table}: the challenge or seat is gone."

# ---- servers -----------------------------------------------------------------------------------------------------

BAD_LINK: Final = "{link} is not a link to a table, such as http://HOST/t/TABLE/SEAT/."
BAD_SERVER: Final = "{address} is not the address of a server, such as http://127.0.0.1:8000."
EMPTY_LINK: Final = "An empty text"
NO_ANSWER: Final = "The server does not answer ({reason})."
REQUEST_REFUSED: Final = "The server refuses the request ({code})."
ANSWER_TOO_LARGE: Final = "The server's answer is larger than {limit} MB."
NOT_OBJECT: Final = "The server's answer cannot be read. It may not be a Gonfalon server, or may have another version."
UNREADABLE: Final = (
    "The server's answer cannot be read. It may not be a Gonfalon server, or may have another version ({fault})."
)
NOT_ARRIVED: Final = "The table has not been loaded yet."
LOST_CONNECTION: Final = "connection lost, reconnecting"
CONNECTION_BACK: Final = "the connection is back"
REMARK: Final = "({text})"
NAME_KEPT: Final = "This seat is yours already, under the name {name}."
WATCH_LINK: Final = "This link is for spectators. Use it with `gonfalon watch`."
END_TIP: Final = "q leaves and shows the link to the replay."
END_TIP_PLAYER: Final = "r starts a rematch. q leaves and shows the link to the replay."
PROVED_DEAL: Final = "The deal was proved. Save {page}record.json as game.json, then run:"
VERIFY_COMMAND: Final = "gonfalon verify game.json --mine {file}"
REPLAY_LINK: Final = "Replay of this game: {page}"
REPLAY_LINK_PLAYER: Final = "Replay of this game, with a review and a rematch: {page}"
RETURN_WATCHING: Final = "The table is still open. Return with `gonfalon watch {link}`."
RETURN_PLAYING: Final = "The table is still open. Return with `gonfalon join {link}`."

# ---- decks -------------------------------------------------------------------------------------------------------

NO_CARDS: Final = "{file} contains no cards. {fault}"
DECK_IS_FOLDER: Final = "{file} is a folder, not a deck file."
NO_FILE: Final = "There is no file {file}."
DECK_FAULTS: Final = "{deck}: {faults}"
ILLEGAL_DECK: Final = "{deck}: not legal"
LEGAL_DECK: Final = "{deck}: legal; {facts}"
DRAWN_BY_TURN: Final = "Chance to have drawn {card} ({copies} in the deck) by each of your turns:"
DRAW_CHANCES: Final = "  {turn}  {first} going first, {second} going second"
SHARE_CODE: Final = "Share code (the cards, without the name): {code}"
NOT_IN_DECK: Final = "{card} is not in this deck."
UNKNOWN_CARD: Final = "There is no card {card}."
