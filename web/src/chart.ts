/** Points by round, and where they stand in a chart. */
import type { ReplayStep } from "./protocol.ts";
import type { Round } from "./timeline.ts";

/** What everybody counted at the end of each round. */
export interface Points {
  /** Under each column: the round, or 0 for the beginning. */
  rounds: number[];
  /** By seat, then by column. */
  values: number[][];
}

const FEW = 3; // columns: with fewer there would be hardly a line, so the beginning is shown too
const MOST_TICKS = 6;

export function pointsByRound(steps: readonly Pick<ReplayStep, "view">[], rounds: readonly Round[]): Points {
  const columns = rounds.map((round) => ({ round: round.number, points: steps[round.last]?.view.points ?? [] }));
  const start = steps[0]?.view.points ?? [];
  if (columns.length < FEW) columns.unshift({ round: 0, points: start });
  return {
    rounds: columns.map((column) => column.round),
    values: start.map((_, seat) => columns.map((column) => column.points[seat] ?? 0)),
  };
}

/** Round numbers that span all values: at most seven of them, with steps of 1, 2, 5, 10 … */
export function ticksOf(values: readonly number[]): number[] {
  const least = Math.min(0, ...values);
  const most = Math.max(1, ...values);
  const step = steps().find((size) => Math.ceil(most / size) - Math.floor(least / size) <= MOST_TICKS) as number;
  const first = Math.floor(least / step);
  return Array.from({ length: Math.ceil(most / step) - first + 1 }, (_, at) => (first + at) * step);
}

function steps(): number[] {
  return Array.from({ length: 7 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
}

/** The columns that get a number below: all of them, or every second, fifth … and always the last. */
export function columnsShown(columns: number, room: number): number[] {
  const every = [1, 2, 5, 10, 20, 50, 100].find((size) => columns / size <= room) ?? 200;
  const last = columns - 1;
  return Array.from({ length: columns }, (_, at) => at).filter((at) => at === last || (at % every === 0 && last - at > every / 2));
}

/** A badge at the end of a line. */
export interface Ending {
  seat: number;
  /** Its column, from 0: ties stand side by side. */
  column: number;
  y: number;
}

const SIDE_BY_SIDE = 4;

/** Where the badges stand: at the end of their line; the same end side by side, and no two rows closer than `apart`. */
export function endings(ends: readonly number[], apart: number, height: number): Ending[] {
  const order = ends.map((y, seat) => ({ seat, y })).sort((one, other) => one.y - other.y || one.seat - other.seat);
  const rows: { y: number; seats: number[] }[] = [];
  for (const { seat, y } of order) {
    const row = rows.at(-1);
    if (row !== undefined && y - row.y < apart / 2 && row.seats.length < SIDE_BY_SIDE) row.seats.push(seat);
    else rows.push({ y, seats: [seat] });
  }
  spread(rows, apart, height);
  return rows.flatMap(({ y, seats }) => seats.map((seat, column) => ({ seat, column, y })));
}

/** Push rows apart, first downwards, then back up from the lower end. */
function spread(rows: { y: number }[], apart: number, height: number): void {
  for (let at = 1; at < rows.length; at++) {
    const [above, row] = [rows[at - 1], rows[at]] as [{ y: number }, { y: number }];
    row.y = Math.max(row.y, above.y + apart);
  }
  let floor = height;
  for (const row of [...rows].reverse()) {
    row.y = Math.min(row.y, floor);
    floor = row.y - apart;
  }
}
