// Shows notifications of turns. A visible page of the table already says that it is the player's turn.
addEventListener("push", (e) => e.waitUntil(tell(e.data.json())));

async function tell({ game, page }) {
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  if (open.some((one) => one.visibilityState === "visible")) return;
  await registration.showNotification(game, { body: "Your turn", tag: page, data: page });
}

addEventListener("notificationclick", (e) => {
  e.notification.close();
  e.waitUntil(clients.openWindow(new URL(e.notification.data, location.origin)));
});
