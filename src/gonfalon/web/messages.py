"""Messages of the website and the API to people, ready for translation: `NAME.format(...)` with the named parameters.

The texts of pages are in the templates. Refusals of tables are in `gonfalon.table.messages`.
"""

from __future__ import annotations

from typing import Final

# ---- requests -------------------------------------------------------------------------------------

NOT_FOUND: Final = "Page not found."
WRONG_METHOD: Final = "This address does not accept requests of this kind."
SERVER_ERROR: Final = "Something went wrong on our side. Reload to see the current position."
SERVER_ERROR_PLAIN: Final = "Something went wrong on our side."
NO_READING: Final = "The server cannot read its data now. Try again in a moment."
NO_WRITING: Final = "This was not saved. Try again in a moment."
OTHER_SITE: Final = "This came from another site. Open the table and try again."
BAD_LENGTH: Final = "The length of this request cannot be read."
TOO_LARGE: Final = "This request is too large."
TOO_SLOW: Final = "Your request arrived too slowly."
HEAD_TOO_LONG: Final = "This request is too long."
TOO_MANY_IDLE: Final = "Too many idle connections from your address."
NOT_A_FORM: Final = "A form is expected here."
NOT_UTF_8: Final = "This file is not UTF-8 text."
EMPTY_FILE: Final = "This file is empty."
NO_VERSION: Final = "Load the page again: its form does not say which position it answers."
NOT_A_NUMBER: Final = "This address needs a number, counted from 1."
NO_GAME: Final = "There is no game {name} here. The games are {games}."
NO_SUCH_SEAT: Final = "The seats of this table are 0 to {last}."

# ---- titles of refusals ---------------------------------------------------------------------------

TITLE_ILLEGAL: Final = "Not legal"
TITLE_STALE: Final = "The table has changed"
TITLE_HASTY: Final = "Too soon"
TITLE_OVER: Final = "The game is over"
TITLE_PRESENT: Final = "No bot is needed"
TITLE_OTHER_RULES: Final = "This table needs an older version"
TITLE_NOT_HOST: Final = "Not allowed"
TITLE_NOT_SEATED: Final = "Only for players"
TITLE_SECRET: Final = "Not yet"
TITLE_NO_ACCOUNT: Final = "No bot account"
TITLE_NO_TABLE: Final = "No such table"
TITLE_NO_SEAT: Final = "No such seat"
TITLE_NOTHING: Final = "Not found"
TITLE_WITHDRAWN: Final = "The game was withdrawn"
TITLE_TAKEN: Final = "The seat is taken"
TITLE_GONE: Final = "No longer available"
TITLE_BAD_NONCE: Final = "The nonce is not valid"
TITLE_BAD_NOTATION: Final = "Not an action"
TITLE_NO_CHOICE: Final = "No such setting"
TITLE_BAD_CARDS: Final = "Faulty cards"
TITLE_BAD_OPTION: Final = "This table cannot be set up"
TITLE_MALFORMED: Final = "This cannot be read"
TITLE_DAMAGED: Final = "This table is damaged"
TITLE_BUSY: Final = "Try again in a moment"
TITLE_NO_DATABASE: Final = "The database does not answer"
TITLE_TOO_MANY: Final = "Too many requests"
TITLE_REFUSED: Final = "This cannot be done"
TITLE_SERVER_ERROR: Final = "Server error"
TITLE_MAINTENANCE: Final = "Maintenance"
TITLE_BANNED: Final = "Excluded"

# ---- rate limits ----------------------------------------------------------------------------------

TRY_AGAIN: Final = "{reason} Try again in {time}."
MANY_REQUESTS: Final = "Too many requests from your address."
MANY_TABLES: Final = "Too many new tables from your address."
MANY_GUESSES: Final = "Too many wrong links from your address."
MANY_CARD_SETS: Final = "Too many sets of cards from your address."
MANY_STUDIES_STARTED: Final = "Too many new studies from your address."
MANY_TABLES_OF_DEVICE: Final = "Too many new tables."
MANY_REMATCHES: Final = "Too many rematches at this table."
MANY_REQUESTS_OF_SEAT: Final = "Too many requests from your seat."
MANY_HINTS: Final = "Too many hints in a short time."
MANY_REPORTS: Final = "Too many reports in a short time."
MANY_VISITS: Final = "Your seat was opened on too many devices."
MANY_OPEN_OF_SEAT: Final = "Your seat is open on too many pages."
MANY_OPEN: Final = "Too many pages are open from your address."
MANY_FOLLOWERS: Final = "Too many pages follow this table with this link."

# ---- tables ---------------------------------------------------------------------------------------

YOU: Final = "You"
A_PLAYER: Final = "A player"
A_FRIEND: Final = "a friend"
NO_NOTIFICATIONS: Final = (
    "This browser cannot be notified: its push service is unknown here, or this table has no days for each move."
)
NO_CLOCK: Final = "No clock"
DAYS_A_TURN: Final = "{days} a turn"
SEATS_TAKEN: Final = "{taken} of {seats} seats taken"
MINUTES_AGO: Final = "{time} ago"
OFFER_GONE: Final = "This seat is no longer offered. Look at the list again."
NAME_YOURSELF: Final = "Enter your name: the other players see it."
MANY_OFFERS_OPEN: Final = "You offer {most} seats already. Close one of those tables first."
MANY_OFFERS: Final = "You have offered many seats in a short time."
MANY_SITTING: Final = "You have taken many seats in a short time."
API_BOT_AFTER: Final = "`after` of `bot` is a number of seconds from 1 to 3600."
CHOOSE_WAIT: Final = "The time to wait for a player is a number of minutes from 1 to 60."
LISTED: Final = "The lobby shows your seat to all visitors. You can send this link as well."
LISTED_UNTIL: Final = "The lobby shows your seat to all visitors. {level} sits down if no player comes in {time}."
YOUR_FRIEND: Final = "Your friend"
FREE_SEAT: Final = "Free seat"
SHARE_LINK: Final = "Play {game} with me"
CARD_GAME: Final = "a card game for {seats} players"
NAME_EACH_PLAYER: Final = "Enter the name of each player on this device."
SURPRISE_ME: Final = "Surprise me"
DRAWN_AT_START: Final = "Drawn when the game starts"
YOUR_TURN: Final = "Your turn"
CHOOSE_AND_READY: Final = "Choose, then press Ready"
PUZZLE_OF_DAY: Final = "One move is clearly best: {kind}."
SEAT_TAKEN: Final = (
    "This seat is taken. You can watch with the spectator link of the table. If the seat is yours, return with your "
    "own link: the menu of the table shows it on the device where you sat down."
)
NO_OWN_SEAT: Final = "You have no seat here in this browser. Use your own link."
SIT_FIRST: Final = "Sit down first to see the table."
SEATED_BEFORE: Final = "You took your seat at the next game some time ago. Return with the seat's own link."
TABLE_DELETED: Final = "This table was deleted after a long time without a move."
GAME_OVER: Final = "The game is over."
TABLE_CHANGED: Final = "The position has changed. Please look again."
TOO_MANY_CARDS: Final = "You selected {cards}, but the cost is {cost}."
ACTION_TOO_LONG: Final = "This is not an action: it is far too long."
OTHER_PERSON: Final = "It is another player's turn at this device. Nothing was changed."
NO_CURTAIN: Final = "One person uses this device, so there is no curtain."
TIPS_ON_OR_OFF: Final = "Tips can be on or off."
UNDO_WISHES: Final = "You can ask for an undo, agree to one or decline it."
CHOICE_TOO_LONG: Final = "Your choice is far too long."
CHOICE_NOT_LEGAL: Final = "Your choice is no longer legal. {fault} Choose another."
PLACES_OF_DECISION: Final = "Write the position to play on from as at=0, at=1 and so on."
CHOOSE_CARDS: Final = "Choose whether the unseen cards are dealt again or stay as they were."
CHOOSE_BOT_OR_FRIEND: Final = "Choose the other player: a bot or a friend."

# ---- undo requests --------------------------------------------------------------------------------

UNDO_GRANTED_TO_YOU: Final = "Your last move was undone."
UNDO_GRANTED: Final = "{player}'s last move was undone."
YOU_REFUSED_UNDO: Final = "You declined the undo. {player}'s move stands."
UNDO_REFUSED_TO_YOU: Final = "{refuser} declined the undo. Your move stands."
UNDO_REFUSED: Final = "{refuser} declined the undo. {player}'s move stands."
YOU_ASKED_UNDO: Final = "You asked to undo your last move."
ASKED_UNDO: Final = "{player} asks to undo the last move."
ASKED_UNDO_OF: Final = "{player} asks to undo: “{move}”"
WAITING_FOR: Final = "{text} Waiting for {names}."

# ---- rematches ------------------------------------------------------------------------------------

REMATCH: Final = "Rematch"
SWAP_FACTIONS: Final = "Swap factions"
ACCEPT_REMATCH: Final = "Accept rematch"
DECLINE: Final = "No"
JOIN_AFTER_ALL: Final = "Join anyway"
TO_NEXT_TABLE: Final = "To the next table"
REMATCH_WITHDRAWN: Final = "The rematch was withdrawn."
NEXT_GAME_STARTED: Final = "The next game has started."
STARTED_WITHOUT_YOU: Final = "The next game has started without you."
YOU_OFFER_REMATCH: Final = "You offered a rematch."
YOU_JOINED_REMATCH: Final = "{player} offers a rematch. You have joined."
REMATCH_DECLINED: Final = "{players} declined the rematch."
REMATCH_OFFERED: Final = "{player} offers a rematch."
REMATCH_OFFERED_AS: Final = "{player} offers a rematch. You would lead {faction}."
BOT_HAS_SEAT: Final = "A bot has your seat at the next game."
YOU_DECLINED_REMATCH: Final = "You declined the rematch."

# ---- proved deals ---------------------------------------------------------------------------------

SHARE_OPENED: Final = "opened"
SHARE_SEALED: Final = "sealed"
BOT_ADDS_NOTHING: Final = "adds nothing, as bots do"
ADDS_NOTHING: Final = "adds nothing"
NOT_SEALED: Final = "not sealed yet"

# ---- clocks ---------------------------------------------------------------------------------------

BOT_AT_ZERO: Final = "when time is up, a bot takes over"
CLAIM_AT_ZERO: Final = "when time is up, the others can call a bot or, with two players, claim the win"
LOST_AT_ZERO: Final = "when time is up, the game is lost"
TIME_LEFT: Final = "{time} left"
CHOOSE_CLOCK: Final = "Choose one of the clocks, or none."
CLOCK_NUMBER: Final = "“{field}” must be a whole number from {least} to {most}."
MINUTES_FIELD: Final = "Minutes for the game"
STEP_FIELD: Final = "Extra seconds for each turn"

# ---- the end page ---------------------------------------------------------------------------------

NEUTRAL_RESULT: Final = "Game over"
DEFEAT: Final = "Defeat"
VICTORY: Final = "Victory"
DRAW: Final = "Draw"
SHARED_VICTORY: Final = "Shared victory"
SCORE_CURVE: Final = "{title}, step by step. At the end: {values}."
CHANCE_TITLE: Final = "{whose} chance to win"
CHANCE_CURVE: Final = "{title}: from {first} % to {last} %, lowest {lowest} %, highest {highest} %."
BOARD_FAILED: Final = "{game} has a fault and cannot show this table: {why}"
BETTER_WAS: Final = "{chosen} Better: {better}"
INSTEAD: Final = "It wins {better} % of games, yours {value} %"
PERHAPS_INSTEAD: Final = "It probably wins {better} % of games, yours {value} %"
NEXT_BEST: Final = "Next best: {next}, which wins {value} % of games"

# ---- replays and reviews --------------------------------------------------------------------------

NO_PLACE: Final = "There is no position {place}: the last one of this game is {last}."
NO_MARK: Final = "There is no step at {mark}: this game ends at {end}."
NO_STEP: Final = "There is no step {step}: the last one of this game is {last}."
BAD_STEP: Final = "There is no such step. Write the steps of a replay as step=0, step=1 and so on."
BAD_MARK: Final = "There is no such step. Write the places of a replay as at=0, at=1 and so on."
BAD_VIEWER: Final = "Choose a view of the replay: that of a seat (as=0, as=1 and so on), as=watch or as=all."
CARDS_DEALT: Final = "The cards are dealt."
DECISION_MADE: Final = "A move is made."
GAME_SET_UP: Final = "The game is set up."
MANY_REVIEWS: Final = "Many games are being reviewed now. Try again in a few minutes."
REVIEW_FAILED: Final = "The review failed. Try again later."
COSTLY_DECISIONS: Final = "Marked, or may have cost at least 2 points"

# ---- the lobby, cards and decks -------------------------------------------------------------------

LINK_TOO_LONG: Final = "The link to this deck is too long for a QR code."
CHOOSE_RECORD: Final = "Choose the file of a record."
CHOOSE_GAME: Final = "Choose one of the games."
CHOOSE_HINTS: Final = "Choose whether there are hints: yes or no."
CHOOSE_OPPONENT: Final = "Choose the other player: a bot, a friend, or a second player on this device."
PLAYERS_NEEDED: Final = "{game} needs {counts} players, not {players}."
SEATS_OF_GAME: Final = "{game} has the seats 0 to {last}."
NO_OPTION: Final = "{game} has no option {option} here."
NO_CARDS: Final = "{game} has no cards to look up."
NO_GUIDE: Final = "{game} has no guide yet."
NO_STYLESHEET: Final = "This game has no stylesheet."
NO_CARD_FILE: Final = "This game has no card file."
STANDARD_SET: Final = "the standard set"
YOUR_OWN_CARDS: Final = "your own"
OWN_CARDS: Final = "Own cards"
HOUSE_SET: Final = "a set of this server"
LAST_SET: Final = "used on this device"
CARDS_OF_TABLE: Final = "Cards: {name}"
NO_CARD_SET: Final = "There is no set of cards at this address. Unused sets are deleted after more than a year."
STANDARD_CARDS: Final = "This table uses the standard set of cards."
FAULT_OF_LINE: Final = "Line {line}: {fault}"
MORE_CARD_FAULTS: Final = "And {count} more."
CARD_FAULTS: Final = "Your cards cannot be used yet: see the {faults} under Cards."
NO_DECKS: Final = "{game} has no decks."
NO_CARD: Final = "There is no card {card}."
NO_DECK_IN_FORM: Final = "The form contains no deck: {fault}"
DECK_NOT_LEGAL: Final = "This deck is not legal yet. {fault}"
OPPONENT_DECK_NOT_LEGAL: Final = "Your opponent's deck is not legal. {fault}"
DECK_LEGAL: Final = "Ready to play."
DECK_FAULT: Final = "Not ready: {fault}"
MORE_FAULTS: Final = "{fault} And {count} more."
A_DECK_OF_YOUR_OWN: Final = "A deck of your own"
YOUR_OWN_DECK: Final = "Your own deck"
UNNAMED_DECK: Final = "A deck without a name"
DECK_SIZE: Final = "{cards} cards"

# ---- lessons, puzzles and annotated games ---------------------------------------------------------

NO_LESSON: Final = "{game} has no lesson yet."
NO_LESSON_STEP: Final = "There is no such step: this lesson has the steps 0 to {last}."
NO_ANNOTATED: Final = "{game} has no annotated games yet."
JUST_AS_GOOD: Final = "Just as good. The lesson continues with the other move."
WATCH: Final = "Watch what happens"
WHY_THERE: Final = "Why there?"
HINT: Final = "Hint"
PUZZLE_NUMBERS: Final = "Name a puzzle of {game} by its number."
PUZZLE_SIDES: Final = (
    "A puzzle has no such page. Use answer=shown for its answer, answer=open for all cards, and answer=played for the "
    "answers played on."
)
RIGHT_ANSWER: Final = "Right. {text}"
SHOW_ANSWER: Final = "Show answer"
SHOW_ALL_CARDS: Final = "All cards"
SHOW_AS_SEEN: Final = "As you saw it"
PLAY_IT_OUT: Final = "Play it out"
PUZZLE_NUMBER: Final = "Puzzle {number}"

# ---- the Workshop ---------------------------------------------------------------------------------

WORKSHOP_DISABLED: Final = "The Workshop is disabled on this server. Run `gonfalon` on your own machine to use it."
NOT_STUDIED: Final = "{game} cannot be studied here."
ONE_STUDY: Final = (
    "Your last study has not ended. Wait for it, or stop it: this server runs one study at a time for each visitor."
)
MANY_STUDIES: Final = "Many studies are waiting. Try again in a few minutes."
MANY_STUDIES_HERE: Final = "{count} studies from your address are waiting or running. Wait for one to end, or stop one."
STUDY_FAILED: Final = "The study failed; the server's log has the details."
STUDY_STOPPED: Final = "This study was stopped before it started."
NOT_YOUR_STUDY: Final = "Only the visitor who started a study can stop it."
NO_STUDY: Final = "There is no such study here. It may have been deleted, or the link is incomplete."
NO_STUDY_FILE: Final = "A study has only the report and the charts that its page lists."
STUDY_NOT_OVER: Final = "The charts are drawn when the study is over."
NO_CHART: Final = "This study has no such chart."
NOTHING_CHANGED: Final = "Nothing has been changed yet: find a card and change one of its numbers."
MANY_CHANGES: Final = "A study can make at most {most} changes."
NO_LEVEL: Final = "The levels that may play are {levels}; {level} is not one of them."
BAD_PRECISION: Final = "The precision of a study is {choices} points, not {points}."
NOT_IN_GAME: Final = "Nothing in {game} is called {text}."
DID_YOU_MEAN: Final = "{text} Did you mean {name}?"
STUDY_STARTS: Final = "The study starts in a moment."
ONE_STUDY_BEFORE: Final = "One study runs before yours."
STUDIES_BEFORE: Final = "{count} studies run before yours."
GAMES_PLAYED: Final = "The games are being played."
SO_FAR: Final = "So far: {result}"
STUDY_OVER: Final = "The study is over. {result}"
TIME_LIMIT: Final = "The study used its {seconds} s of CPU time, the limit on this server. {result}"

# ---- the API --------------------------------------------------------------------------------------

API_NAME_GAME: Final = "Name one of the games of /api/games."
API_SEATS: Final = "{game} needs {seats} seats, each me, open, bot:LEVEL or program:NAME."
API_SEAT: Final = "A seat is me, open, bot:LEVEL or program:NAME."
PROGRAM_AWAY: Final = "not connected"
DOES_NOT_COME: Final = "Does not come"
PROGRAM_DECLINED: Final = "Declines: {reason}"
NO_BOT_ACCOUNTS: Final = "Bot accounts are disabled on this server. The operator allows them with --bot-accounts."
API_STATE: Final = '"state" is yes, or left out.'
API_PLAY_ON: Final = '"seat" is a seat of the game, "at" a number of decisions, and "cards" anew or true.'
API_LOG: Final = '"log" is the number of the line with which the log begins.'
API_BRINGS_TOO_LONG: Final = '"brings" is far too long.'
API_ACTIONS: Final = '"actions" is a list of the ids of legal actions.'
API_WISH: Final = '"wish" is ask, agree or refuse.'
API_BY: Final = '"by" is bot, nobody, or me at your own seat.'
API_TABLE_CHANGED: Final = "The position has changed. Please look again."
API_BEARER: Final = "Send the token of a seat as Authorization: Bearer TOKEN."
API_CARDS_OR_SET: Final = 'Name either "cards" or "set".'
API_NOT_JSON: Final = "The body is not JSON."
API_NOT_AN_OBJECT: Final = "The body must be a JSON object."
API_UNKNOWN_FIELD: Final = "There is no field {field}: the fields are {fields}."
API_NO_FIELDS: Final = "There is no field {field}: this request has none."
API_FIELD_TYPE: Final = '"{field}" must be {type}.'
TYPE_TEXT: Final = "a text"
TYPE_NUMBER: Final = "a whole number"
TYPE_LIST: Final = "a list"
TYPE_OBJECT: Final = "an object"
TYPE_BOOLEAN: Final = "true or false"

# ---- starting a server ----------------------------------------------------------------------------

BAD_ADDRESS: Final = "{address} is not an address for links. An example is https://club.example."
BAD_PROXY: Final = "{address} is not the address or network of a proxy. An example is 10.0.0.0/8."
NO_METRICS: Final = "Metrics cannot be served at {address}: {reason}."
NO_PORT: Final = "it has no valid port"
NAME_GAME_OF_CARDS: Final = '{file} does not name its game. Write GAME={file}, or the line game = "feint" in the file.'
HOUSE_SET_TWICE: Final = "Two sets of cards for {game} are called {name}."
HOUSE_SET_FAULTS: Final = "{file}: {faults}."
NO_WORKERS: Final = "A server needs at least one process."
ENDED_EARLY: Final = "The processes of the server ended before they could serve; see the lines above."
NO_EXPORT_FOLDER: Final = "The folder {folder} for exports cannot be created: {reason}."
EXPORT_NOT_WRITABLE: Final = "The folder {folder} for exports is not writable."
BAD_PORT: Final = "A port is a number from 0 to 65535, not {port}."
PORT_FAILED: Final = "Port {port} of {host} cannot be used: {reason}."
SERVING: Final = "Gonfalon's tables are at {address} (Ctrl-C stops the server; no game is lost)."
RELOADING: Final = "The server restarts when a file changes in {games}."
RESTARTING: Final = "{file} has changed: the server restarts."
NO_RELOAD: Final = "With --reload the server is one process without metrics: leave out --workers and --metrics."
