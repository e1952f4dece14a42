"""Messages of tables to people, ready for translation: `NAME.format(...)` with the named parameters.

Each is one or two sentences, and none holds a secret of a game.
"""

from __future__ import annotations

from typing import Final

# ---- bots of the operator -----------------------------------------------------------------------------------------

OWN_BOT: Final = "a bot of this server's operator"
OWN_BOT_FORM: Final = (
    "A bot of your own must have the form NAME=BOT, such as miser=mine:Miser, not {text}. NAME has lower-case letters, "
    "digits and hyphens."
)
OWN_BOT_TWICE: Final = "There is already a bot named {name}. Choose another name."
OWN_BOT_FAILS: Final = "The bot {name} plays no installed game: {why}"

GUEST: Final = "Guest"
"""The name of a player that has not given one."""
FREE_SEAT: Final = "Free seat"
"""In place of the name at a free seat."""

# ---- the table and its server ---------------------------------------------------------------------

NO_TABLE: Final = (
    "There is no table at this address. The link may be incomplete, or the table was deleted after a long time without "
    "a move."
)
DAMAGED: Final = (
    "The stored data of this table is damaged, so it cannot be opened. The operator of this server may have a backup. "
    "Other tables are not affected."
)
BOTS_BUSY: Final = "The bots are busy. Try again in a moment."
STOPPING: Final = "The server is stopping. Try again in a moment."
TABLE_BUSY: Final = "This table is too busy. Try again."
TABLE_CHANGED: Final = "The position has changed. Please look again."
CHANGED_FIRST: Final = "The position has just changed. Please look again."

# ---- links and seats ------------------------------------------------------------------------------

NO_SEAT: Final = "This link does not lead to a seat of this table. It may be incomplete."
NOT_AN_INVITATION: Final = "This is not an invitation to this table."
NOT_SEATED: Final = "Spectators can only watch."
CHOOSE_PERSON: Final = "Several people share this device. Choose first which of them you are."
NOT_OF_DEVICE: Final = "This seat does not belong to this device."
NOT_YOUR_SEAT: Final = "This is not your seat."
BAD_NONCE: Final = "A nonce must be a secret text of {least} to {most} random characters; this one has {length}."
SEAT_TAKEN: Final = "This seat is taken. You can still watch."
SEAT_HELD: Final = "Another player holds this seat."
SEATED_BEFORE: Final = "You took this seat some time ago. Use your own link."
NEXT_SEAT_TAKEN: Final = (
    "Your seat in the next game has already been taken, by you on another page or by a bot. Look for it there."
)
SEATS_NEEDED: Final = "{game} needs {seats} seats."
NO_OPENER: Final = "A player must open the table before another can sit beside them."
MAY_STILL_COME: Final = "{name} is here, or may still come."
SEAT_RESERVED: Final = (
    "The player who opened this table keeps this seat for a friend. Only that player may give it to a bot."
)
NOT_AWAITED: Final = "The game is not waiting for {name}, or has not waited long enough for a bot to take over."
NO_WIN: Final = "You cannot claim the win here."
SEAT_LOST: Final = "Your time ran out, so a bot plays for you now."
BOT_PLAYS: Final = "A bot is playing for you. Take your seat back to move."

# ---- bot accounts ---------------------------------------------------------------------------------

PROGRAM_NAME: Final = "{name} (program)"
ACCOUNT_EXISTS: Final = "There is already a bot account with the name {name}, or one that looks like it."
NO_ACCOUNT_NAME: Final = "Choose a name of at most {most} visible letters for the bot account."
UNKNOWN_ACCOUNT: Final = "There is no bot account with the name {name}."
LAST_MOMENT: Final = "The last moment: {words}"
NO_ACCOUNT: Final = "This is not the token of a bot account. The operator can make a new one with `gonfalon bot token`."
ABOUT_TOO_LONG: Final = "The line about a bot account has at most {most} characters."
NOT_CHALLENGED: Final = "There is no open challenge to this account at this table."
NOT_CONNECTED: Final = "{name} is not connected."
PROGRAM_TWICE: Final = "{name} can play only one seat of a table."
NO_REASON: Final = "A reason is {choices}."
PROGRAM_DECLINES: Final = "{name} declines: {reason}"
DECLINED_LATER: Final = "not now."
DECLINED_BUSY: Final = "it plays at too many tables already."
DECLINED_GAME: Final = "it does not play this game."
DECLINED_OPTIONS: Final = "it does not play with these rules or cards."
DECLINED_CLOCK: Final = "it does not play with this clock."
DECLINED_PLAYERS: Final = "it does not play with this number of players."
ALL_GAMES: Final = "all games"
SEATS_ONLY: Final = "{counts} players"
CLOCKS_NONE: Final = "without a clock"
CLOCKS_ONLY: Final = "with a clock"
CHANGED_CARDS: Final = "also with changed cards"
AT_ONCE: Final = "{tables} at once"
ASKS_PROGRAM: Final = "the program answers each challenge"

# ---- before the deal ------------------------------------------------------------------------------

NOT_STARTED: Final = "Waiting for all players to be ready."
STARTED: Final = "The game has already started."
WITHDRAWN: Final = "This game will not be played: the player who offered it left."
WAITING_FOR_PLAYERS: Final = "The game starts when all players are ready. Not ready yet: {names}."
WAITING_FOR_SHARES: Final = "The game starts when all players have sealed and opened a share. Not yet: {names}."
READY_OTHERWISE: Final = (
    "You are already ready with a different choice, perhaps made on another device. Cancel that choice first."
)
NOTHING_TO_CHOOSE: Final = "Players of {game} bring neither factions nor decks."
NO_CHOICE_FITS: Final = "{game} cannot be set up with these choices."
FACTION_TAKEN: Final = "{player} already plays this faction. Choose another."
SAME_FACTIONS: Final = "Pick two different factions, or allow a mirror match under House rules."
RANDOM_DECK: Final = "a random deck"
CURRENT_RULES: Final = "A new game uses the current rules."
SETUP_FAILED: Final = (
    "{game} fails when a table is set up with these options; the server's log has the details. Try other options."
)
NOT_PROVED: Final = "The deal at this table is not proved."
SHARES_CHANGED: Final = "The sealed shares have changed. Look again."
SHARE_GIVEN: Final = "Your seat has already sealed a share, perhaps on another device. Only that share can be opened."
OTHER_SHARE: Final = "This is not the share that you sealed."
SHARE_FORMAT: Final = "A sealed share is a SHA-256 hash in 64 lowercase hexadecimal digits."

# ---- decisions ------------------------------------------------------------------------------------

NO_ACTION: Final = "Choose an action first."
TOO_MANY_ACTIONS: Final = "A request has at most {most} actions."
NOT_LEGAL: Final = "This action is not legal now."
ANSWERED: Final = "You have already chosen. Use Change to pick again."
TIME_UP: Final = "Your time is up."
BOT_ANSWERS: Final = "Your time is up. A bot moves for you."
NO_HINTS: Final = "There are no hints at this table."
NOT_ASKED: Final = "It is not your turn. Hints come back when it is."
STANDING_CHOICES: Final = "A standing answer is {choices}, in games with answer windows."
NO_EMOTE: Final = "There is no such greeting. The greetings are {emotes}."
EMOTE_TOO_SOON: Final = "One greeting every {seconds} seconds."
ONLY_PLAYERS_GREET: Final = "Spectators cannot send greetings."
PAST_GONE: Final = "This position cannot be shown again."
MOMENT_GONE: Final = "This moment is no longer stored. The table shows its result."

# ---- undo -----------------------------------------------------------------------------------------

NOTHING_TO_UNDO: Final = "You have no move to undo."
CANNOT_ASK_UNDO: Final = "Too late to undo: the game has moved on."
UNDO_PENDING: Final = "You have already asked. Wait for the answer."
UNDO_LIMIT: Final = "You have asked for {most} undos in this game. That is the limit."
NO_UNDO_REQUEST: Final = "Nothing to answer: this undo request has expired."
OWN_UNDO_REQUEST: Final = "Only the other players can agree to your undo."
AGREED: Final = "You have already agreed."

# ---- clocks ---------------------------------------------------------------------------------------

CLOCK_FIELDS: Final = "A clock has an end, and either a bank and a step in seconds, or days."
CLOCK_END: Final = "The end of a clock is {choices}."
BANK_OR_DAYS: Final = "A clock has either days or a bank, not both."
CLOCK_NUMBER: Final = "The {field} of a clock is a whole number from {least} to {most}."
NO_CLOCK: Final = "No clock has run out here."
FLAG_RECORDED: Final = "This flag has already fallen."

# ---- after the end --------------------------------------------------------------------------------

OVER: Final = "The game is over."
NOT_OVER: Final = "The game is not over yet."
RECORD_DAMAGED: Final = "This record is damaged: its game cannot be replayed."
RECORD_UNFINISHED: Final = "The game of this record is not over. Play it to its end first."
RECORD_SECRET: Final = "The record contains the secrets of all players. It is available after the game."
THOUGHTS_SECRET: Final = "The thoughts of the bots are available after the game."
OLD_VERSION: Final = "This game was played under version {version} of its rules."
READ_AGAIN: Final = "{note} Its decisions were replayed under version {version}."
OTHER_ENDING: Final = "Under the current rules this game ends differently."
OTHER_RULES: Final = (
    "This game was started under version {old} of the rules of {game}; this server has version {new}. "
    "Only an older version of Gonfalon can open it."
)
OTHER_DATA: Final = (
    "This game was started with card data of {game} that this server does not have. "
    "Only an older version of Gonfalon can open it."
)
NO_SETUP: Final = "The game of this table cannot be set up any more: {reason}"
RECORD_LEFT: Final = "{reason} Its record can be saved."
STOCK: Final = "{tables}: {parts}."
STOCK_RUNNING: Final = "{count} running"
STOCK_WAITING: Final = "{count} waiting for players"
STOCK_READABLE: Final = "{count} finished"
STOCK_RECORDS: Final = "{count} finished, of which only the record is left"
STOCK_NEEDS_OLDER: Final = "{count} for an older version of Gonfalon"

# ---- records that cannot be read ------------------------------------------------------------------

BAD_KIND: Final = "Entry {number} of this table has an unknown kind."
BAD_UNDO: Final = "Entry {number} of this table undoes a decision that does not exist."
BAD_REQUEST: Final = "Entry {number} of this table is an undo request that was not possible."
BAD_ACTION: Final = "Entry {number} of this table is not an action of its game."
BAD_DECISION: Final = "Entry {number} of this table is not legal under the rules of this program."

# ---- databases ------------------------------------------------------------------------------------

FAILED_BECAUSE: Final = "{action}: {reason}"
CANNOT_USE: Final = "The database {url} cannot be used"
CANNOT_OPEN: Final = "The database {url} cannot be opened"
NO_SUCH_FOLDER: Final = "there is no folder {folder}"
NOT_ENTERED: Final = "the user {user} may not enter the folder {place}"
NOT_WRITTEN: Final = "the user {user} may not read and write the file {place}"
NOT_FILLED: Final = "the user {user} may not create files in the folder {place}"
IS_A_FOLDER: Final = "{file} is a folder"
NO_ANSWER: Final = "The database did not answer"
CANNOT_READ: Final = "{file} cannot be read"
CANNOT_WRITE: Final = "The backup {file} cannot be written"
NO_FOLDER: Final = "The folder {folder} for the tables cannot be created: {reason}."
BAD_URL: Final = "This is not the address of a database. For a file, write for example sqlite:///tables.db."
UNKNOWN_DATABASE: Final = "Tables are stored in SQLite (sqlite:///tables.db) or in PostgreSQL (postgresql://...)."
IN_MEMORY: Final = "A database in memory would lose the tables. Name a file, such as sqlite:///tables.db."
NO_DATABASE: Final = "There is no database {url}. `gonfalon serve` creates it."
OTHER_SCHEMA: Final = "The database has another schema version than this program."
NEWS_LOST: Final = "The connection for notifications between processes was lost: {error}"

# ---- backups --------------------------------------------------------------------------------------

NOTHING_TO_BACK_UP: Final = "There is nothing to back up: this database has no tables yet."
BACKUP_OF_OTHER_SCHEMA: Final = (
    "This database has schema version {found}, and this version of Gonfalon backs up version {known}. Use the version "
    "that serves it, or `gonfalon database upgrade`."
)
NOT_EMPTY: Final = "This database has tables already. A backup can only be restored into an empty database."
BACKUP_EXISTS: Final = "{file} already exists. A backup is written to a new file."
NO_FILE: Final = "There is no file {file}."
UNFINISHED_BACKUP: Final = "{file} is not a Gonfalon backup, or is incomplete."
NOT_A_BACKUP: Final = "{file} is not a Gonfalon backup, or is damaged."
DAMAGED_BACKUP: Final = "{file} is damaged: its content differs from what was written."
BACKUP_SIZE: Final = "{tables} with {entries}"

NO_ROOM_FOR_SETS: Final = (
    "This server keeps no more sets of cards. You can still open a table with the text of your cards."
)

# ---- schema versions ------------------------------------------------------------------------------

BEFORE_1_0: Final = (
    "This database was created before Gonfalon 1.0 and cannot be read. Use it with the version that created it, or "
    "start a new one, for example with --database sqlite:///new.db."
)
NEWER_SCHEMA: Final = (
    "This database has schema version {version}, written by a newer version of Gonfalon; this one knows version "
    "{known}."
)
COMMAND_AT_OTHER_SCHEMA: Final = (
    "This database has schema version {found}, and this command needs version {known}. Use the version of "
    "Gonfalon that serves it, or `gonfalon database upgrade`."
)
NO_TABLES_YET: Final = "This database has no tables yet. The server creates them when it starts."
NO_SUCH_SCHEMA: Final = "There is no schema version {version}: the oldest is {oldest}, and the newest is {newest}."
CANNOT_UPGRADE: Final = "This database has schema version {found}, so it cannot be upgraded to version {wanted}."
CANNOT_DOWNGRADE: Final = "This database has schema version {found}, so it cannot be downgraded to version {wanted}."
DATABASE_IN_USE: Final = (
    "A server uses this database and would fail with an older schema version. Stop it first. If it was killed, start "
    "it once more, and stop it after {seconds} seconds."
)

# ---- the operator ---------------------------------------------------------------------------------

MAINTENANCE: Final = "This server begins no new games at the moment. Running games continue."
BANNED: Final = "The operator of this server has excluded you. You cannot open tables, sit down or play."
NO_KEY_BEGINS: Final = "No table has a key that begins with {beginning}. The list of tables shows the keys."
STAGE_WAITING: Final = "waiting for players"
STAGE_RUNNING: Final = "running"
STAGE_OVER: Final = "over"
STAGE_CLOSED: Final = "closed"
WITHIN_HOUR: Final = "within the last hour"
AGO: Final = "{time} ago"
BY_PERSON: Final = "person"
BY_BOT: Final = "bot"
BY_PROGRAM: Final = "program"
BY_NOBODY: Final = "free"
SHORT_KEY: Final = "Write at least {least} letters of the key."
AMBIGUOUS_KEY: Final = "Several tables have keys that begin like this. Write more letters."
OVER_ALREADY: Final = "This game is over already."
NO_SUCH_SEAT: Final = "The seats of this table are 0 to {last}."
NO_PLAYER_AT_SEAT: Final = "Seat {seat} has no player to rename."
NO_VISIBLE_NAME: Final = "Choose another name: this one is empty or reserved."
AMBIGUOUS_DEVICE: Final = "Several devices have hashes that begin like this. Write more letters."
NO_DEVICE: Final = "No device with this hash has visited a table."
BAD_SUBJECT: Final = (
    "Name the hash of a device as shown at a table, or an address or network such as 192.0.2.7 or 192.0.2.0/24."
)
NETWORK_TOO_LARGE: Final = "This network is too large: ban at most an IPv4 network /8 or an IPv6 network /19."
NOT_BANNED: Final = "There is no such ban."
NOTE_TOO_LONG: Final = "A note has at most {most} characters."
NOTICE_TOO_LONG: Final = "A notice has at most {most} characters."
REASON_TOO_LONG: Final = "A reason has at most {most} characters."
LINK_EXISTS: Final = "A link exists already and cannot be shown again. Replace it with --new."
REPORT_WHOM: Final = "Choose another player of this table."
REPORT_WHY: Final = "Write a reason."
MANY_REPORTS: Final = "Too many reports wait for the operator. Try again later."
TABLE_GONE: Final = "a player of a deleted table"
NO_REPORT: Final = "There is no such report."
