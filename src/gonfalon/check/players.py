"""The game's own rule-of-thumb player."""

from __future__ import annotations

from gonfalon.check.flow import named, raised
from gonfalon.check.law import Broken, Law
from gonfalon.check.observe import who
from gonfalon.check.play import Bench, Case
from gonfalon.check.secrecy import redeal
from gonfalon.core.rng import Rng


def heuristic(bench: Bench, case: Case) -> int:
    """It chooses legally, says why, and chooses the same whatever it cannot see."""
    game = case.game
    player = game.heuristic()
    if player is None:
        bench.note = "the game has none"
        return 0
    rng = case.rng("heuristic")
    checked = 0
    for at in case.picks(rng, 8):
        state = case.states[at]
        for decision in state.decisions():
            seat = decision.seat
            if seat < 0:
                continue
            view = state.mask(seat)
            dump = view.dump()
            seed = rng.seed()
            try:
                action, why = player.choose(view, Rng(seed))
            except Exception as error:
                raise Broken(f"the heuristic of {who(seat)} raised {raised(error)}", at) from error
            if action not in decision.actions:
                raise Broken(f"the heuristic of {who(seat)} chooses {named(game, action)}, which is not legal", at)
            if not str(why).strip():
                raise Broken(f"the heuristic of {who(seat)} does not say why", at)
            if view.dump() != dump:
                raise Broken(f"the heuristic of {who(seat)} changed its view", at)
            twin = redeal(game, state, seat, rng)
            if twin is None:
                continue
            other, _ = game.heuristic().choose(twin.mask(seat), Rng(seed))
            if other != action:
                raise Broken(f"the heuristic of {who(seat)} depends on what he has not seen", at)
            checked += 1
    return checked


LAWS = [Law("the heuristic is legal, and knows only its view", "decisions", heuristic, share=0.8)]
