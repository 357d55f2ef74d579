import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as server from "../src/server.ts";

const replay = { actions: 0, steps: [] };
const answers = (status: number, body: object) => new Response(JSON.stringify(body), { status });
const busy = () => answers(503, { code: "judge/busy", text: "later" });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a judge who has no place now is asked again, since a whole company looks back at the same moment", async () => {
  const fetched = vi.fn<typeof fetch>().mockResolvedValueOnce(busy()).mockResolvedValueOnce(busy()).mockResolvedValue(answers(200, replay));
  vi.stubGlobal("fetch", fetched);

  const found = server.replayOf({ table: "t" }, "all");
  await vi.runAllTimersAsync();

  expect(await found).toEqual(replay);
  expect(fetched).toHaveBeenCalledTimes(3);
});

test("… but not for ever, and nothing else is", async () => {
  const fetched = vi.fn<typeof fetch>().mockImplementation(async () => busy());
  vi.stubGlobal("fetch", fetched);
  const found = expect(server.replayOf({ table: "t" }, "all")).rejects.toMatchObject({ code: "judge/busy" });
  await vi.runAllTimersAsync();
  await found;
  expect(fetched).toHaveBeenCalledTimes(5);

  vi.stubGlobal("fetch", vi.fn<typeof fetch>().mockImplementation(async () => answers(404, { code: "table/unknown" })));
  await expect(server.replayOf({ table: "t" }, "all")).rejects.toMatchObject({ code: "table/unknown" });
});
