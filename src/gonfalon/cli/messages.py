"""Refusals and results of the command line, ready for translation: `NAME.format(...)` with the named parameters.

Help texts stay where their arguments are declared.
"""

from __future__ import annotations

from typing import Final

# ---- the parser --------------------------------------------------------------------------------------------------

BAD_INPUT: Final = "gonfalon: {message}"
SEE_HELP: Final = "{message}. See `{command} --help`."
UNKNOWN_ARGUMENTS: Final = "unrecognized arguments: {arguments}"
UNKNOWN_CHOICE: Final = "there is no {kind} {value}; {hint}"
DID_YOU_MEAN: Final = "did you mean {name}"
KNOWN_CHOICES: Final = "choose from {names}"
COMMAND: Final = "command"
VERSION: Final = "gonfalon {version} ({build})"

# ---- arguments ---------------------------------------------------------------------------------------------------

NOT_WHOLE: Final = "{name} must be a whole number, not {text}"
OUT_OF_RANGE: Final = "{name} must be from {low} to {high}, not {text}"
NOT_SECONDS: Final = "a time must be a number of seconds, not {text}"
TOO_LONG: Final = "a time must be more than 0 and at most {seconds} seconds, not {text}"
BAD_FACTOR: Final = "a factor must be a number from 0 to 1000000, not {text}"
BAD_PRECISION: Final = "a precision must be from 0.01 to 50 percentage points, not {text}"
BAD_BAND: Final = "a band must have the form 45..55 and contain 50, not {text}"
BAD_SHARES: Final = "two numbers between 0 and 1 are needed, the lower one first, not {text}"
BAD_CLUSTER: Final = "the address of a Ray cluster must be a host and a port, such as 127.0.0.1:6379"

# ---- games, decks and records ------------------------------------------------------------------------------------

OPTION_FORM: Final = "An option must have the form key=value, not {text}."
OPTION_TWICE: Final = "Option {option} is given twice."
NOT_UTF_8: Final = "{files} is not UTF-8 text."
NAME_GAME: Final = "Name the game to play: {names}."
NOT_THIS_TASK: Final = "{task} has its own options, and a match draws no factions or decks. Name the game: {game}."
NAME_MATCH: Final = "Name the game and two bots: gonfalon lab match GAME A B."
NAME_GAME_OR_LAW: Final = "Name a game, or a law with --explain."
NO_LAW: Final = "There is no law {law}."
NO_LAW_NEAR: Final = "There is no law {law}. Did you mean {near}?"
NAME_DECK_GAME: Final = "Name the game of the deck with --game: {names}."
NO_DECK_GAME: Final = "No installed game has decks."
NO_DECKS: Final = "{game} has no decks."
OTHER_GAMES_FILE: Final = "{file} looks like a card file of {game}."
NO_CARD_FILES: Final = "{game} has no card files."
NO_CARD: Final = "There is no card {name} in {game}."
IN_FILE: Final = "{file}: {message}"
STILL_RUNNING: Final = "The game in {file} is not over. Continue it with --record."
REMARKS_NEED_TEXT: Final = "--remarks belongs to --text."
STARTS_NEW_GAME: Final = "--from starts a new game: leave out --option, and give --record a new file."
NO_PART: Final = "The benchmark has no part {part}; known parts: {parts}."

# ---- proofs ------------------------------------------------------------------------------------------------------

HOLDS: Final = "holds {finding}"
FAILS: Final = "FAILS {finding}"
NOTE: Final = "note  {finding}"
SIGNS_OF_DEAL: Final = "Signs of the deal: {signs}"
SIGNS_OF_GAME: Final = "Signs of the game: {signs}"
PROVED: Final = "The shuffles are proved."
NOT_PROVED: Final = "The shuffles are not proved."

# ---- bot accounts ------------------------------------------------------------------------------------------------

ACCOUNT_CREATED: Final = "Account {name} exists. Its token, shown only once: {token}"
ACCOUNT_TOKEN: Final = "The new token of {name}, shown only once: {token}"
ACCOUNT_REMOVED: Final = "The account {name} is deleted."
ACCOUNT_LINE: Final = "{name}: {rules}.{about}"
NO_ACCOUNTS: Final = "There are no bot accounts. Create one with `gonfalon bot create NAME`."
SEAT_COUNTS: Final = "Numbers of seats are written like 2,3, not {text}."
NO_BOT_TOKEN: Final = "Give the token of the account with --token, or in the variable {variable}."

# ---- the operator ------------------------------------------------------------------------------------------------

NO_TABLES_FOUND: Final = "There are no such tables."
MORE_TABLES: Final = "The latest {count} tables, of more; --state, --name, --game and --days find the others."
TABLE_LINE: Final = "{key}  {game}  {stage}  {names}  active {active}"
FREE: Final = "free"
TABLE_HEAD: Final = "Table {key}: {title}, {stage}, opened {opened} UTC."
SEAT_LINE: Final = "  seat {seat}: {name} ({by})"
SEAT_DEVICES: Final = "  seat {seat}: {name} ({by}), devices: {devices}"
TABLE_CLOSED: Final = "The table {key} is closed."
FILE_EXISTS: Final = "{file} already exists. A record is written to a new file."
CANNOT_WRITE_FILE: Final = "{file} cannot be written: {reason}."
RECORD_WRITTEN: Final = "{file} contains the record."
SEAT_RENAMED: Final = "Seat {seat} is called {name}."
BANNED: Final = "{subject} is banned."
UNBANNED: Final = "{subject} is not banned any more."
NO_BANS: Final = "There are no bans."
BAN_LINE: Final = "{subject}  since {since}  {note}"
NO_REPORTS: Final = "There are no reports."
REPORT_LINE: Final = "{id}  {created}  table {key}: {reporter} reports {name} (seat {seat}): {reason}{settled}"
SETTLED: Final = " (settled)"
REPORT_SEALED: Final = "The record is sealed until the game is over."
REPORT_RECORD: Final = "Reported after decision {decisions}. Read the record with `gonfalon admin export {key} FILE`."
REPORT_SETTLED: Final = "The report {id} is settled."
SETTLE_WHICH: Final = "Name the report to settle."
NO_NOTICE: Final = "There is no notice."
NOTICE_SET: Final = "All pages show: {text}"
NOTICE_CLEARED: Final = "The notice is removed."
NOTICE_OR_CLEAR: Final = "Give a text or --clear, not both."
MAINTENANCE_ON: Final = "Maintenance is on: no new games begin, and running games continue."
MAINTENANCE_OFF: Final = "Maintenance is off: new games can begin."
OPERATOR_LINK: Final = (
    "Open this path at the address of your server. It is shown only once; keep it as secret as a password: {path}"
)

# ---- databases ---------------------------------------------------------------------------------------------------

NO_TABLES: Final = "This database has no tables yet."
VERSION_NEWEST: Final = "Schema version {version}, the newest."
VERSION_OLDER: Final = "Schema version {version}; the newest is {newest}."
VERSION_NOW: Final = "Schema version {version}."
NEEDS_YES: Final = (
    "Downgrading from schema version {version} to {wanted} loses data. Confirm it with --yes, because there is no "
    "terminal to ask you."
)
LOSES_DATA: Final = (
    "Downgrading from schema version {version} to {wanted} loses the following data. Only a backup can restore it."
)
ASK_DOWNGRADE: Final = "Downgrade? (yes, or Enter for no) "
UNCHANGED: Final = "Nothing was changed."
BACKUP_WRITTEN: Final = "{file} contains {content}."
BACKUP_RESTORED: Final = "The database contains {content}."

# ---- new games ---------------------------------------------------------------------------------------------------

FOLDER_EXISTS: Final = "{folder} already exists, and no file is overwritten."
BAD_NAME: Final = "{name} cannot be the name of a game: use lower-case letters, digits and _, beginning with a letter."
NAME_TOO_LONG: Final = "The name of a game has at most {limit} characters; this one has {length}."
NAME_IS_KEYWORD: Final = "{name} is a Python keyword. Choose another name."
NAME_IS_GAME: Final = "There is already a game {name}. Choose another name."
NAME_IS_MODULE: Final = "There is already a Python module {name}. Choose another name."
NEXT_STEPS: Final = """\
{name}/ contains a small game that can be played. Next:
  cd {name}
  {python} {install}
  gonfalon check {name} --seconds 60
  gonfalon play {name}
Then change {name}/rules/, {name}/face/words.py and {name}/guide.md. `gonfalon serve --reload` opens
tables and loads your changes."""
