/** Putting the page on the device like an app, where the browser offers it. */

interface Offer extends Event {
  prompt(): Promise<unknown>;
}
let offer = $state.raw<Offer | null>(null);

/** Listen for the browser's offer; it comes once, some time after the page. */
export function awaitOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event as Offer;
  });
  addEventListener("appinstalled", () => (offer = null));
}

/** Can it be put on the device now? */
export function canInstall(): boolean {
  return offer !== null;
}

/** Ask the browser to do it. */
export function install(): void {
  void offer?.prompt();
  offer = null;
}
