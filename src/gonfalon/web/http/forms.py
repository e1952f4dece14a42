"""Forms: reading posted fields, and redirecting the browser afterwards."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response

from gonfalon.web import messages
from gonfalon.web.http.errors import Malformed, Nothing


def is_scripted(connection: HTTPConnection) -> bool:
    """Return whether our own script sent a request. The script shows a refusal in place, and gets changes by its
    socket."""
    return connection.headers.get("x-live") == "1"


def parse_seat(text: str, seats: int) -> int:
    """Return the seat that a form or an address names. Raises Nothing."""
    if not (text.isascii() and text.isdigit() and len(text) < 3 and int(text) < seats):
        raise Nothing(messages.NO_SUCH_SEAT.format(last=seats - 1))
    return int(text)


async def read_form(request: Request, files: int = 0) -> FormData:
    """Return the posted form, with at most this number of files. Raises Malformed."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("", "application/x-www-form-urlencoded", "multipart/form-data"):
        raise Malformed(messages.NOT_A_FORM)
    # No form of ours has this many fields.
    return await request.form(max_files=files, max_fields=200)


async def read_file(form: FormData, name: str) -> str:
    """Return the text of the file in a field, or of the field itself; empty if none was chosen. The files of the form
    are deleted. Raises Malformed."""
    value = form.get(name, "")
    try:
        if isinstance(value, str):
            return value
        text = (await value.read()).decode("utf-8-sig")
        if value.filename and not text.strip():
            raise Malformed(messages.EMPTY_FILE)
        return text
    except UnicodeDecodeError:
        raise Malformed(messages.NOT_UTF_8) from None
    finally:
        await form.close()


def read_text(form: FormData, name: str) -> str:
    """Return a field as text; empty if it is missing."""
    value = form.get(name, "")
    return value if isinstance(value, str) else ""


def read_number(form: FormData, name: str) -> int:
    """Return a field as a number. Raises Malformed."""
    value = read_text(form, name)
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise Malformed(messages.NO_VERSION)
    return int(value)


def redirect_to(request: Request, url: str) -> Response:
    """Return a redirect to a page. Our script gets its address instead."""
    if is_scripted(request):
        # A script would follow a redirect at once, although it may need the address only.
        return Response(status_code=204, headers={"location": url})
    return RedirectResponse(url, 303)
