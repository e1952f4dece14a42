"""The presentation of Feint: sentences, boards, controls, templates and styles."""
