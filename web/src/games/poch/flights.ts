/** Counters that move over the table, drawn singly; the numbers change when they have landed. */
import { paced } from "../../pace.ts";
import type { Flight, Place } from "./told.ts";

const APART = 40; // ms between two counters of one flight
const AT_ONCE = 6; // counters that begin in one frame

/** Let counters fly in `layer`, between places that are marked within `root`. */
export function fly(root: HTMLElement, layer: HTMLElement, flights: readonly Flight[]): void {
  const origin = layer.getBoundingClientRect();
  const places = new Map<string, Point | null>();
  const where = (place: Place): Point | null => {
    const wanted = selector(place);
    if (!places.has(wanted)) places.set(wanted, middle(root, wanted, origin));
    return places.get(wanted) ?? null;
  };
  const paths = flights.map((flight) => [flight, where(flight.from), where(flight.to)] as const);
  const waiting = paths.flatMap(([flight, from, to]) => (from && to ? coins(flight, from, to) : []));
  queues.set(layer, waiting);
  launch(layer, waiting);
}

const queues = new WeakMap<HTMLElement, Coin[]>();

/** A few in each frame, so that no frame is late; none any more once they have landed, or others fly. */
function launch(layer: HTMLElement, waiting: Coin[]): void {
  if (queues.get(layer) !== waiting) return;
  for (const coin of waiting.splice(0, AT_ONCE)) coin(layer);
  if (waiting.length > 0) requestAnimationFrame(() => launch(layer, waiting));
}

/** Take away whatever still flies. */
export function land(layer: HTMLElement | undefined): void {
  if (layer === undefined) return;
  queues.delete(layer);
  layer.replaceChildren();
}

type Point = readonly [x: number, y: number];
type Coin = (layer: HTMLElement) => void;

/** The counters of a flight, one after the other; each is made when it is called. */
function coins(flight: Flight, from: Point, to: Point): Coin[] {
  const apart = Math.min(APART, (flight.ms * 0.6) / flight.count);
  return Array.from({ length: flight.count }, (_, at) => (layer) => {
    const coin = document.createElement("i");
    coin.className = "coin";
    layer.append(coin);
    const path = [from, to].map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
    const flown = coin.animate(path, {
      delay: paced(flight.delay + at * apart),
      duration: paced(Math.max(120, flight.ms - at * apart)),
      easing: "cubic-bezier(.2, .9, .25, 1)",
      fill: "both",
    });
    flown.onfinish = () => coin.remove();
  });
}

/** The middle of a place, seen from the origin of the layer; null if it is not shown. */
function middle(root: HTMLElement, wanted: string, origin: DOMRect): Point | null {
  for (const found of root.querySelectorAll(wanted)) {
    const box = found.getBoundingClientRect();
    if (box.width > 0) return [box.x + box.width / 2 - origin.x, box.y + box.height / 2 - origin.y];
  }
  return null;
}

function selector(place: Place): string {
  if (place === "bank") return "[data-bank]";
  return "seat" in place ? `[data-counters="${place.seat}"]` : `[data-plate="${place.plate}"]`;
}
