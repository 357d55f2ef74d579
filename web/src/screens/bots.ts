/** What a bot is, in words. */
import type { SeatBot, ServerShown } from "../protocol.ts";
import { text } from "../texts.svelte.ts";

export type Level = Exclude<NonNullable<SeatBot["level"]>, "random">; // which nobody wants to play against
export type Temper = NonNullable<SeatBot["temper"]>;
export const LEVELS: readonly Level[] = ["novice", "casual", "strong", "master"];
export const TEMPERS: readonly Temper[] = ["", "cautious", "bold", "bluffer"];

/** The levels of a server; those of any that is reached over the network are known. */
export function levelsAt(server: Pick<ServerShown, "bots"> | null): Level[] {
  return LEVELS.filter((level) => server?.bots.includes(level) ?? true);
}

/** The level that plays where another is wished for: the best that there is. */
export function played(wish: Level, levels: readonly Level[]): Level {
  return levels.includes(wish) ? wish : (levels.at(-1) ?? "casual");
}

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
