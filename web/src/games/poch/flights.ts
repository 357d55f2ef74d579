/** Counters that move over the table, drawn singly; the numbers change when they have landed. */
import type { Flight, Place } from "./told.ts";

const APART = 40; // ms between two counters of one flight

/** Let counters fly in `layer`, between places that are marked within `root`. */
export function fly(root: HTMLElement, layer: HTMLElement, flights: readonly Flight[]): void {
  const origin = layer.getBoundingClientRect();
  const starts = flights.map((flight) => [flight, middle(root, flight.from, origin), middle(root, flight.to, origin)] as const);
  for (const [flight, from, to] of starts) if (from && to) send(layer, flight, from, to);
}

/** Take away whatever still flies. */
export function land(layer: HTMLElement | undefined): void {
  layer?.replaceChildren();
}

type Point = readonly [x: number, y: number];

function send(layer: HTMLElement, flight: Flight, from: Point, to: Point): void {
  const apart = Math.min(APART, (flight.ms * 0.6) / flight.count);
  for (let at = 0; at < flight.count; at++) {
    const coin = document.createElement("i");
    coin.className = "coin";
    layer.append(coin);
    const delay = flight.delay + at * apart;
    const path = [from, to].map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)`, opacity: 1 }));
    const flown = coin.animate(path, {
      delay,
      duration: Math.max(120, flight.ms - at * apart),
      easing: "cubic-bezier(.2, .9, .25, 1)",
      fill: "both",
    });
    flown.onfinish = () => coin.remove();
  }
}

/** The middle of a place, seen from the origin of the layer; null if it is not shown. */
function middle(root: HTMLElement, place: Place, origin: DOMRect): Point | null {
  for (const found of root.querySelectorAll(selector(place))) {
    const box = found.getBoundingClientRect();
    if (box.width > 0) return [box.x + box.width / 2 - origin.x, box.y + box.height / 2 - origin.y];
  }
  return null;
}

function selector(place: Place): string {
  if (place === "bank") return "[data-bank]";
  return "seat" in place ? `[data-counters="${place.seat}"]` : `[data-plate="${place.plate}"]`;
}
