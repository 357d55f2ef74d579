/**
 * How a game's own pieces lie together when somebody has won: `games/{name}/win.json`, or else `theme/win.json`. The page moves them there (Win.svelte),
 * and the server draws the same for pictures of the result (src/pokade/server/judge/picture.py).
 */
import type { GameName } from "../protocol.ts";
import plain from "../theme/win.json";

/** The middle in a square of 200, a width, and how it is turned. */
export type Place = readonly [x: number, y: number, width: number, turn?: number];

interface Part {
  /** A symbol of pieces.svg, with `{seat}` for the number of a seat; or `rosette`. */
  piece: string;
  /** The people who get one each; else there is one at each place. */
  who?: "winners" | "others";
  /** Where; for winners by their number. */
  places: readonly Place[] | readonly (readonly Place[])[];
  /** A value of tokens.css, for pieces without a colour of their own. */
  fill?: string;
  move: string;
  /** When it begins, in ms, and how much later each further one does. */
  after: number;
  apart?: number;
}
export interface Scene {
  parts: readonly Part[];
}

/** One piece where it comes to lie. */
export interface Laid {
  piece: string;
  /** Whose it is, from 0; -1 for nobody's. */
  seat: number;
  place: Place;
  fill: string;
  move: string;
  after: number;
}

const MOST = 3; // winners who are drawn; the words name them all
const SCENES = import.meta.glob("./*/win.json", { import: "default", eager: true }) as Record<string, Scene>;

/** A game's own scene; for one that has none, the rosettes alone. */
export function sceneOf(game: GameName): Scene {
  return SCENES[`./${game}/win.json`] ?? (plain as unknown as Scene);
}

/** All pieces of a scene, those in front last. */
export function laid(scene: Scene, winners: readonly number[], seats: number): Laid[] {
  const drawn = winners.slice(0, MOST);
  const others = Array.from({ length: seats }, (_, seat) => seat).filter((seat) => !winners.includes(seat));
  return scene.parts.flatMap((part) => {
    const places = (part.who === "winners" ? part.places[drawn.length - 1] : part.places) as readonly Place[];
    const whose = part.who === "winners" ? drawn : part.who === "others" ? others : places.map(() => -1);
    return whose.slice(0, places.length).map((seat, at) => ({
      piece: part.piece.replace("{seat}", String((seat % 8) + 1)),
      seat,
      place: places[at] as Place,
      fill: part.fill === undefined ? "" : `var(--${part.fill})`,
      move: part.move,
      after: part.after + at * (part.apart ?? 0),
    }));
  });
}

/** When the first rosette is pressed on: the moment of the win. */
export function momentOf(pieces: readonly Laid[]): number {
  return Math.min(...pieces.filter(({ piece }) => piece === "rosette").map(({ after }) => after), 1_000);
}
