/** What a bot is, in words. */
import type { SeatBot } from "../protocol.ts";
import { text } from "../texts.svelte.ts";

export type Level = NonNullable<SeatBot["level"]>;
export type Temper = NonNullable<SeatBot["temper"]>;
export const LEVELS: readonly Level[] = ["novice", "casual", "strong", "master"];
export const TEMPERS: readonly Temper[] = ["", "cautious", "bold", "bluffer"];

export interface BotShown {
  level: Level;
  temper: Temper;
  words: string;
}

/** A bot by the name the server gives it: `casual`, `strong-bold`. The usual one is just a bot. */
export function botOf(bot: string): BotShown {
  const [level, temper = ""] = bot.split("-") as [Level, Temper?];
  const parts = [level === "casual" && temper === "" ? "" : text(`web.bot.${level}`), temper === "" ? "" : text(`web.bot.${temper}`)];
  return { level, temper, words: [text("web.bot.bot"), ...parts.filter((part) => part !== "")].join(" · ") };
}
