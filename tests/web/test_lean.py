"""Minified scripts and styles: shorter, with the same effect."""

from __future__ import annotations

from gonfalon.web.http.minify import minify_text
from gonfalon.web.shared.static_files import STATIC


def test_comments_and_indentation_are_removed() -> None:
    script = """// What it is for.
import { a } from "./a.js";

/* Two
   lines. */
function f(x, y) {
  if (x === 1) return x + y;                                             // why
}
"""
    assert minify_text(script) == 'import { a } from "./a.js";\nfunction f(x, y) {\nif (x === 1) return x + y;\n}\n'


def test_quoted_text_and_patterns_stay() -> None:
    for kept in ('"a  // b"', "'/* c */  d'", "`e  ${f} // g\n  h`", '"\\"  // i"', 't.replace(/[ /"]  "/g, "")'):
        assert minify_text(f"x = {kept};  // j") == f"x = {kept};\n"


def test_our_files_are_minified_once_for_all() -> None:
    """Minifying twice changes nothing, so no string or pattern was mistaken for a comment."""
    for file in (*STATIC.glob("*.js"), *STATIC.glob("*.css")):
        text = minify_text(file.read_text("utf-8"))
        assert minify_text(text) == text, file.name
        assert len(text) > 200, file.name
