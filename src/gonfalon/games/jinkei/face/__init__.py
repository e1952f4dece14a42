"""The presentation of Jinkei: sentences, boards, controls, templates and styles."""
