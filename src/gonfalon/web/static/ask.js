// A request that is given up after a while: over a dead connection no answer comes, and no error either.
export async function ask(url, options, seconds = 10) {
  const stop = new AbortController(), timer = setTimeout(() => stop.abort(), 1000 * seconds);
  try {
    const answer = await fetch(url, { headers: { "X-Live": "1" }, signal: stop.signal, ...options });
    return { answer, text: await answer.text() };
  } finally {
    clearTimeout(timer);
  }
}
