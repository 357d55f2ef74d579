import { expect, test } from "vitest";
import { speak } from "../texts.svelte.ts";
import { botOf } from "./bots.ts";

test("the usual bot is just a bot, others say how they play", async () => {
  await speak("en");

  expect(botOf("casual").words).toBe("Bot");
  expect(botOf("strong").words).toBe("Bot · Strong");
  expect(botOf("casual-bold")).toEqual({ level: "casual", temper: "bold", words: "Bot · Casual · Bold" });
  expect(botOf("strong-bluffer").words).toBe("Bot · Strong · Bluffer");
});
