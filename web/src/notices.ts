/** A notice when it is your turn in a game that takes days. Asked for by a tap only, and only in a secure context. */
import { GAMES, type TableShown } from "./protocol.ts";
import { text } from "./texts.svelte.ts";

/** Whether this browser can show notices at all. */
export function canNotice(): boolean {
  return isSecureContext && "Notification" in window;
}

/** Whether the person has allowed them. */
export function isNoticed(): boolean {
  return canNotice() && Notification.permission === "granted";
}

/** Ask for permission; answers whether it was given. */
export async function askForNotices(): Promise<boolean> {
  return canNotice() && (await Notification.requestPermission()) === "granted";
}

let last = "";

/** Say once for each decision that it is your turn, if the page is hidden. */
export function noticeTurn(table: TableShown, decision: number): void {
  const key = `${table.id} ${decision}`;
  if (!isNoticed() || !document.hidden || key === last) return;
  last = key;
  const how = { body: text("web.table.notice_text"), tag: table.id, icon: "/icon-192.png" };
  // Phones show notices of a service worker only.
  void navigator.serviceWorker?.getRegistration().then((worker) => {
    if (worker) void worker.showNotification(GAMES[table.game].title, how);
    else new Notification(GAMES[table.game].title, how);
  });
}
