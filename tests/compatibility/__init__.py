"""Tests of the promises in docs/pages/reference/compatibility.md, with files that version 1.0 wrote."""
