import { expect, test } from "vitest";
import { speak } from "../texts.svelte.ts";
import { botOf, LEVELS, levelsAt, played } from "./bots.ts";

test("the usual bot is just a bot, others say how they play", async () => {
  await speak("en");

  expect(botOf("casual").words).toBe("Bot");
  expect(botOf("strong").words).toBe("Bot · Strong");
  expect(botOf("casual-bold")).toEqual({ level: "casual", temper: "bold", words: "Bot · Casual · Bold" });
  expect(botOf("strong-bluffer").words).toBe("Bot · Strong · Bluffer");
});

test("only levels that a server has are offered, and a wish for a better one means its best", () => {
  const levels = levelsAt({ bots: ["random", "novice", "casual"] });

  expect(levels).toEqual(["novice", "casual"]);
  expect(played("master", levels)).toBe("casual");
  expect(played("novice", levels)).toBe("novice");
  expect(levelsAt(null)).toEqual(LEVELS);
});
