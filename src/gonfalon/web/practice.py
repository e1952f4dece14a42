"""One's own mistakes, again: marked decisions of reviewed games come back as exercises, kept on this device.

The position is shown as the seat saw it before it decided, and what was better is told from the kept review.
"""

from __future__ import annotations

import json
from typing import NamedTuple, cast
from urllib.parse import urlencode

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from gonfalon.core.english import unbroken
from gonfalon.core.errors import GonfalonError, NotationError, Refusal
from gonfalon.core.game import names_for
from gonfalon.core.record import Record
from gonfalon.core.state import State
from gonfalon.review.files import Decided, Review
from gonfalon.review.report import is_sure
from gonfalon.review.story import chances, lost, rather
from gonfalon.table.seats import WATCH
from gonfalon.table.shown import log
from gonfalon.table.tables import KEY
from gonfalon.web import practice_cards
from gonfalon.web.context import Malformed, Nothing, follow, scripted, services
from gonfalon.web.failures import explain
from gonfalon.web.lessons import still, ui
from gonfalon.web.moves import actions_of, read_form
from gonfalon.web.offers import learn_url
from gonfalon.web.practice_cards import Card
from gonfalon.web.render import Context, Renderer
from gonfalon.web.showcase import showcase_of

ABSENT = "Exercises of one's own mistakes need a package that is not installed here (`pip install gonfalon[practice]`)."
TRIED, SAID = "tried", "answer"
"""By what an address tells answers."""
GONE = "This decision has no review any more, so it is no exercise."


class Exercise(NamedTuple):
    """A decision of a reviewed game, and how it stood before."""

    card: Card
    record: Record
    view: State
    decided: Decided
    judge: str
    sure: bool
    """Whether it is told how sure a loss is."""


class Answers(NamedTuple):
    """What was answered: a wrong first try, after which there is another; and the answer of which all is told."""

    tried: str | None
    said: str | None


async def show_all(request: Request) -> Response:
    """What is due of a game, and what comes later."""
    return listed(request, request.path_params["game"], practice_cards.read(request), None)


def listed(request: Request, game: str, cards: list[Card], error: str | None, status: int = 200) -> Response:
    """The page of a game's exercises. Raises Nothing."""
    server, day = services(request), practice_cards.today()
    kind = server.kind(game)
    if not practice_cards.available():
        raise Nothing(ABSENT)
    own = [card for card in cards if card.game == game]
    due = [card for card in own if card.due <= day]
    return server.render.page(
        "practice.html",
        status,
        game=showcase_of(server.render, kind),
        error=error,
        due=len(due),
        first_url=due[0].url if due else None,
        later=[{"n": card.at + 1, "url": card.url, "days": card.due - day} for card in own if card.due > day],
        learn_url=learn_url(game),
    )


async def change(request: Request) -> Response:
    """Add decisions of a review, or forget all exercises of a game. Raises Malformed."""
    game, form = request.path_params["game"], await read_form(request)
    services(request).kind(game)
    cards = practice_cards.read(request)
    if form.get("forget"):
        cards = [card for card in cards if card.game != game]
    else:
        table, seat = str(form.get("table", "")), str(form.get("seat", ""))
        ats = [str(at) for at in form.getlist("at")]
        if not KEY.fullmatch(table) or not ats or not all(one.isascii() and one.isdigit() for one in [seat, *ats]):
            raise Malformed("Say which decisions of which table shall come back.")
        if len(seat) > 1 or any(len(at) > 6 for at in ats):
            raise Malformed("There is no such decision.")
        new = [Card(game, table, int(seat), int(at), practice_cards.today()) for at in ats]
        cards += [card for card in new if not any(practice_cards.same(card, old) for old in cards)]
    response = RedirectResponse(f"{practice_cards.PATH}/{game}/", 303)
    practice_cards.keep(request, response, cards)
    return response


async def show(request: Request) -> Response:
    """An exercise, or what is to be said of an answer. Raises NotationError, Refusal."""
    cards, card = practice_cards.read(request), card_of(request)
    try:
        exercise = await exercise_of(request, card)
    except GonfalonError as error:
        return dropped(request, cards, card, error)
    return await page(request, exercise, cards, answers_of(request, exercise), None, 200)


def answers_of(request: Request, exercise: Exercise) -> Answers:
    """The answers of an address. Raises NotationError, Refusal."""
    tried, said = (request.query_params.get(name) for name in (TRIED, SAID))
    for one in (tried, said):
        if one is not None:
            check_answer(exercise, one)
    return Answers(tried, said)


def check_answer(exercise: Exercise, said: str) -> None:
    """Whether the seat could answer so. Raises NotationError, Refusal."""
    view, action = exercise.view, exercise.record.game.parse(said)
    if not view.is_legal(exercise.card.seat, action):
        raise Refusal(view.why_not(exercise.card.seat, action) or "This is not legal now.")


async def answer(request: Request) -> Response:
    """What somebody would do: the schedule follows from the first try, and after a wrong one there is another."""
    cards, card = practice_cards.read(request), card_of(request)
    form = await read_form(request)
    try:
        exercise = await exercise_of(request, card)
    except GonfalonError as error:
        return dropped(request, cards, card, error)
    game, view, before = exercise.record.game, exercise.view, answers_of(request, exercise)
    try:
        actions = game.arranged(view, actions_of(form, game))
        if not actions:
            raise Refusal("Choose something first.")
        said = game.notation(actions[0])
        check_answer(exercise, said)
    except (Refusal, NotationError) as error:
        return await page(request, exercise, cards, before._replace(said=None), explain(error)[3], explain(error)[0])
    kept = next((one for one in cards if practice_cards.same(one, card)), card)
    first, right = before.tried is None, is_right(exercise.decided, said)
    url = "?" + urlencode({TRIED if first and not right else SAID: said})
    response: Response = RedirectResponse(kept.url + url, 303)
    if scripted(request):
        response = Response(status_code=204, headers={"location": url})
    if kept.due <= practice_cards.today():
        after = practice_cards.reviewed(kept, first and right, practice_cards.today())
        practice_cards.keep(request, response, [after, *(one for one in cards if one is not kept)])
    return response


def card_of(request: Request) -> Card:
    """The exercise of an address. Raises Nothing."""
    named = request.path_params
    if not KEY.fullmatch(named["table"]) or not all(
        named[one].isascii() and named[one].isdigit() and len(named[one]) < 7 for one in ("seat", "at")
    ):
        raise Nothing("There is no such exercise.")
    services(request).kind(named["game"])
    return Card(named["game"], named["table"], int(named["seat"]), int(named["at"]), practice_cards.today())


async def exercise_of(request: Request, card: Card) -> Exercise:
    """An exercise with its position and its review. Raises GonfalonError."""
    if not practice_cards.available():
        raise Nothing(ABSENT)
    table, _ = await follow(request, card.table, WATCH)
    record = await table.moves.record()
    text = await run_sync(services(request).tables.store.review, card.table)
    if text is None or table.game.name != card.game:
        raise Nothing(GONE)
    found = cast("Review", json.loads(text))
    for decided in found["decisions"]:
        if (decided["at"], decided["seat"]) == (card.at, card.seat) and decided["mark"] and decided["best"]:
            view = await run_sync(before, record, card)
            return Exercise(card, record, view, decided, found["reviewer"]["judge"], is_sure(found))
    raise Nothing(GONE)


def before(record: Record, card: Card) -> State:
    """What the seat saw before it decided. Raises Nothing, RecordError."""
    for number, (state, seat, _) in enumerate(record.steps()):
        if number == card.at and seat == card.seat:
            return state.mask(seat)
    raise Nothing(GONE)


def dropped(request: Request, cards: list[Card], card: Card, error: GonfalonError) -> Response:
    """An exercise that cannot be shown does not come back."""
    status, _, _, sentence = explain(error)
    if status >= 429:  # it may be there again
        raise error
    kept = [one for one in cards if not practice_cards.same(one, card)]
    response = listed(request, card.game, kept, sentence, status)
    practice_cards.keep(request, response, kept)
    return response


def is_right(decided: Decided, said: str) -> bool:
    """Whether an answer is the better one, or the second best where the review cannot tell them apart."""
    close = decided["lead_low"] is not None and decided["lead_low"] <= 0
    return said == decided["best"] or (close and said == decided["second"] and said != decided["chosen"])


def verdict(exercise: Exercise, said: str) -> str:
    """What is said of an answer: what was tried, what was chosen in the game, and what the review found better."""
    one, tried = exercise.decided, quoted(in_words(exercise, said))
    gave = f"gave away {lost(one, exercise.sure)} of the chance to win, by {exercise.judge}."
    chosen = f"In the game you chose {quoted(one['text'])}, which {gave}"
    best = f"{chances(one)} {one['why']}".strip()
    if said == one["best"]:
        return f"Right: {tried} is what the review found best. {best} {chosen}"
    if is_right(one, said):
        return f"{tried} is as good as the best, as far as the review can tell. {chosen} {rather(one)}"
    better = f"The review found better: {quoted(one['better'])}. {best}"
    if said == one["chosen"]:
        return f"{tried} is what you chose in the game. It {gave} {better}"
    return f"{tried} is not what the review found best. {chosen} {better}"


def asks_again(exercise: Exercise, tried: str) -> str:
    """What is said of a wrong first try, without telling the answer."""
    what = quoted(in_words(exercise, tried))
    if tried == exercise.decided["chosen"]:
        return f"{what} is what you chose in the game, and the review found something better. Try once more."
    return f"{what} is not what the review found best. Try once more."


def in_words(exercise: Exercise, said: str) -> str:
    """An answer as a sentence."""
    game = exercise.record.game
    return game.describe(exercise.view, game.parse(said))


def quoted(sentence: str) -> str:
    """A sentence within another."""
    return f"“{sentence.rstrip('.')}”"


async def page(
    request: Request, exercise: Exercise, cards: list[Card], answers: Answers, refusal: str | None, status: int
) -> Response:
    """The page of an exercise, or for our script what changes of it."""
    render = services(request).render
    context = await run_sync(exercise_context, render, exercise, cards, answers, refusal)
    return HTMLResponse(render.templates.draw("_lesson.html" if scripted(request) else "lesson.html", context), status)


def exercise_context(
    render: Renderer, exercise: Exercise, cards: list[Card], answers: Answers, refusal: str | None
) -> Context:
    """What lesson.html is given: nothing but the seat's own view, and after an answer the review."""
    card, record, view = exercise.card, exercise.record, exercise.view
    names = names_for(record.game, card.seat, record.names)
    due = [
        one
        for one in cards
        if one.game == card.game and one.due <= practice_cards.today() and not practice_cards.same(one, card)
    ]
    game, (tried, said) = record.game, answers
    asks = said is None
    happens = "" if said is None else f"Your answer: {in_words(exercise, said)}"
    again = "" if tried is None else urlencode({TRIED: tried})
    return {
        **still(render, game, view, names, log(game, view, names), asks),
        "ui": ui(render, game, view, names, asks, happens, f"{card.url}?{again}" if again else card.url),
        "new_from": None,
        "refusal": None,
        "page_title": f"Your mistakes, again · {game.title}",
        "lesson": {
            "refusal": refusal,
            "title": "Your mistakes, again",
            "kind": "exercise",
            "text": unbroken(told(exercise, answers)),
            "asks": asks,
            "place": 0 if asks else 1,
            "last": 1,
            "next_url": None,
            "back_url": None,
            "again_url": card.url,
            "answer_url": "?" + urlencode({SAID: tried}) if asks and tried is not None else None,
            "answer_word": "Show the answer",
            "ends": not asks,
            "play_url": f"/t/{card.table}/{WATCH}/play-on?at={card.at}&as={card.seat}",
            "play_words": "Play on from here",
            "all_url": f"{practice_cards.PATH}/{card.game}/",
            "otherwise": False,
            "next_exercise": {"url": due[0].url, "title": "Next"} if due and not asks else None,
        },
    }


def told(exercise: Exercise, answers: Answers) -> str:
    """What stands above the table."""
    if answers.said is not None:
        return verdict(exercise, answers.said)
    if answers.tried is not None:
        return asks_again(exercise, answers.tried)
    return f"Decision {exercise.card.at + 1} of your game: what is best here?"
