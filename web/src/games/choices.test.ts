import { beforeAll, expect, test } from "vitest";
import type { ViewShown } from "../protocol.ts";
import { speak } from "../texts.svelte.ts";
import { questionOf } from "./choices.ts";

const view = (choices: number[]) => ({ choices, question: ["pick", {}] }) as unknown as ViewShown;

beforeAll(() => speak("en"));

test("a single choice is no question", () => {
  expect(questionOf("pok", view([0, 2]))).toBe("Which counter do you hide in your fist?");
  expect(questionOf("pok", view([2]))).toBe("There is nothing else to choose: tap it to go on.");
  expect(questionOf("pok", view([2]), "Ada")).toBe("Ada: there is nothing else to choose.");
});
