/** The position of the day: which day it is here, and what this device remembers of the days before. */

const KEPT = "pokade.days";
const MOST = 800; // days that are remembered

/** What was chosen on a day, and whether that was right. */
export interface Answer {
  choice: number;
  isRight: boolean;
}
export type Days = Readonly<Record<string, Answer>>;

/** A day as 2026-11-18, by the clock of this device. */
export function dayOf(when: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(when.getFullYear()).padStart(4, "0")}-${two(when.getMonth() + 1)}-${two(when.getDate())}`;
}

/** The day before. */
export function dayBefore(day: string): string {
  const [year = 1, month = 1, date = 1] = day.split("-").map(Number);
  return dayOf(new Date(year, month - 1, date - 1, 12));
}

/** All that this device remembers. */
export function keptDays(): Days {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Days;
  } catch {
    return {};
  }
}

/** Remember a choice; the first one of a day stands, and the oldest days go. */
export function keepDay(day: string, answer: Answer): Days {
  const days = { [day]: answer, ...keptDays() };
  const latest = Object.fromEntries(Object.entries(days).sort(([one], [other]) => (one < other ? -1 : 1)).slice(-MOST));
  try {
    localStorage.setItem(KEPT, JSON.stringify(latest));
  } catch {
    // Without storage there is no streak.
  }
  return latest;
}

/** On how many days in a row a choice was made, up to today; one that is still to come breaks nothing. */
export function streak(days: Days, today: string): number {
  let [day, length] = [days[today] === undefined ? dayBefore(today) : today, 0];
  while (days[day] !== undefined) [day, length] = [dayBefore(day), length + 1];
  return length;
}

/** Of all choices, how many were right. */
export function found(days: Days): { found: number; played: number } {
  const all = Object.values(days);
  return { found: all.filter((answer) => answer.isRight).length, played: all.length };
}
