// Cards that change zone glide there (View Transitions); everything else updates at once and stays clickable.
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let running, newest;

const cards = (root) => root.querySelectorAll('li[id^="c-"]');
export const zones = (root) => new Map([...cards(root)].map((el) => [el.id, el.parentElement.id]));

export const moved = (was, now) => [...now].filter(([id, zone]) => was.get(id) !== zone).map(([id]) => id);

function name(ids) {
  for (const el of cards(document)) if (ids.has(el.id)) el.style.viewTransitionName = CSS.escape(el.id); else el.removeAttribute("style");
}

export function glide(html, update) {
  const mine = newest = {};
  running?.skipTransition();
  if (!document.startViewTransition || document.hidden || calm.matches) return update();
  const was = zones(document), now = zones(new DOMParser().parseFromString(html, "text/html"));
  const flying = new Set(moved(was, now).filter((id) => was.has(id)));
  if (!flying.size) return update();
  name(flying);
  // Called later: by then a newer board may lie there, and the newest wins.
  const flight = running = document.startViewTransition(() => { if (mine === newest) update(); name(flying); });
  flight.ready.catch(() => {});                                         // skipped by a newer board: that is meant
  flight.finished.finally(() => { if (running === flight) { running = undefined; name(new Set()); } });
  return flight.updateCallbackDone.catch(() => {});
}
