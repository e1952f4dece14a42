"""Minified scripts and styles: shorter, with the same effect."""

from __future__ import annotations

from gonfalon.web.http.minify import lean_script, lean_style
from gonfalon.web.shared.static_files import STATIC


def test_a_script_loses_comments_and_idle_space() -> None:
    script = """// What it is for.
import { a } from "./a.js";

/* Two
   lines. */
function f(x, y) {
  if (x === 1) return x + y;                                             // why
  return typeof x;
}
"""
    assert lean_script(script) == ('import{a}from "./a.js";function f(x,y){if(x===1)return x + y;return typeof x;}\n')


def test_quoted_text_stays() -> None:
    for kept in ('"a  // b"', "'/* c */  d'", "`e  ${f} // g\n  h`", '"\\"  // i"'):
        assert lean_script(f"x = {kept};  // j") == f"x={kept};\n"


def test_a_pattern_stays() -> None:
    assert lean_script('t.replace(/[ /"]  "/g, "") // k') == 't.replace(/[ /"]  "/g,"")\n'
    assert lean_script("a = (b / c) / d;") == "a=(b / c)/ d;\n"


def test_lines_stay_apart() -> None:
    """A line can end without a semicolon. Joined lines would become a call."""
    assert lean_script("a = b\n\n  (c)") == "a=b\n(c)\n"
    assert lean_script("a = b  // d;\n(c)") == "a=b\n(c)\n"


def test_a_style_sheet_loses_comments_and_idle_space() -> None:
    style = """/* Ground */
.a :is(.b, p) { width: calc(1rem + 2px); content: "x  ; y"; }

@media (max-width: 40rem) {
  .a { color: red }
}
"""
    assert lean_style(style) == (
        '.a :is(.b, p){width: calc(1rem + 2px);content: "x  ; y";}@media (max-width: 40rem){.a{color: red}}\n'
    )


def test_our_scripts_are_lean_once_for_all() -> None:
    """Minifying twice changes nothing, so no string or pattern was mistaken for a comment."""
    for file in STATIC.glob("*.js"):
        text = lean_script(file.read_text("utf-8"))
        assert lean_script(text) == text, file.name
        assert len(text) > 200, file.name
