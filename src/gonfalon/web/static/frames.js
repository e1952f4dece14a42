// A frame comes packed: runs of the lines that this socket has brought already, and new lines between them. Read it in
// the order in which it came. What does not fit is lost, and the next socket begins with the whole.
async function unpacked(data) {
  return new Response(data.stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
}

export function reader(show, lost) {
  const lines = {};                                                      // by the parts of the page
  let before = Promise.resolve();
  function join([part, had, has, runs]) {
    const old = had ? lines[part] ?? [] : [];
    const now = runs.flatMap((run) => typeof run === "string" ? run : old.slice(run[0], run[0] + run[1]));
    if (old.length !== had || now.length !== has) throw new RangeError(part);
    lines[part] = now;
    queueMicrotask(() => show(part, now.join("")));                       // what fails there is no matter of the frames
  }
  return ({ data }) => { before = before.then(() => unpacked(data)).then(join).catch(lost); };
}
