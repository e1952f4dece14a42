// A program that plays random legal actions at a Gonfalon server: node bot.mjs SERVER TOKEN
//
// It needs nothing but Node. One stream reports the questions of all its tables, and a new stream reports everything
// that is open, so the program can be killed and started again at any time.

const [server, token] = process.argv.slice(2);
if (!token || !server.startsWith("http")) {
  console.log("Usage: node bot.mjs SERVER TOKEN\n\nPlays random legal actions at a Gonfalon server.");
  process.exit(process.argv.includes("--help") ? 0 : 2);
}
const headers = { Authorization: `Bearer ${token}` };

async function send(path, body) {
  const reply = await fetch(server + path, { method: body ? "POST" : "GET", headers, body: JSON.stringify(body) });
  if (!reply.ok) console.log((await reply.json()).detail); // the game has moved on; the stream asks again
  return reply;
}

async function answer(event) {
  if (event.type === "challenge") {
    await send(`/api/bot/challenges/${event.table}`, { accept: true });
  } else if (event.type === "turn") {
    const action = event.actions[Math.floor(Math.random() * event.actions.length)];
    await send(`/api/tables/${event.table}/actions`, { expected: event.version, actions: [action] });
  } else if (event.type === "account") {
    console.log(`Connected to ${server} as ${event.account.title}.`);
  } else if (event.type === "ended") {
    console.log(event.over.text);
  }
}

async function play() {
  const reply = await send("/api/bot/stream");
  if ([401, 403, 404].includes(reply.status)) process.exit(1);
  if (!reply.ok) return;
  let rest = "";
  for await (const part of reply.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) await answer(JSON.parse(line)); // an empty line is a heartbeat
  }
}

for (;;) {
  await play().catch((error) => console.log(`${error.cause?.message ?? error.message}: trying again`));
  await new Promise((done) => setTimeout(done, 1000));
}
