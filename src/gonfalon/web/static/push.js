// Notifications of the player's turns on this device: off until the player turns them on, for one table at a time.
const box = document.getElementById("push"), note = document.getElementById("push-note");
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

async function ask(wish, fields) {
  const answer = await fetch("notify", { method: "POST", body: new URLSearchParams({ wish, ...fields }), headers: { "X-Live": "1" } });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).on;
}

async function subscribe() {
  if (await Notification.requestPermission() !== "granted") throw new Error("Notifications are blocked. Allow them for this site in your browser.");
  await navigator.serviceWorker.register("/push-worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const found = await pushManager.getSubscription() ?? await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(box.dataset.key) });
  const { endpoint, keys } = found.toJSON();
  return ask("on", { endpoint, key: keys.p256dh, secret: keys.auth });
}

async function current() {
  const registration = await navigator.serviceWorker.getRegistration("/push-worker.js");
  return registration?.pushManager.getSubscription();
}

async function start() {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return;
  box.closest("[hidden]").hidden = false;
  const found = await current();
  if (found) box.checked = await ask("", { endpoint: found.endpoint });
  box.addEventListener("change", async () => {
    note.textContent = "";
    try {
      const now = box.checked ? null : await current();
      box.checked = now ? await ask("off", { endpoint: now.endpoint }) : box.checked && await subscribe();
    } catch (error) {
      box.checked = false;
      note.textContent = error.message || "Notifications could not be turned on. Try again.";
    }
  });
}

start();
