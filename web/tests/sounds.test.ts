import { beforeEach, expect, test, vi } from "vitest";

const felt: unknown[] = [];
let peaks: number[] = [];

/** An audio context that only notes how loud things get. */
function silent() {
  const node = { connect: (next: unknown) => next, start() {}, stop() {}, frequency: { exponentialRampToValueAtTime() {} } };
  const stub = (made: object) => vi.fn(function () { return { ...node, ...made }; });
  vi.stubGlobal("AudioContext", stub({ currentTime: 0, sampleRate: 8_000, destination: {} }));
  vi.stubGlobal("OscillatorNode", stub({}));
  vi.stubGlobal("BiquadFilterNode", stub({}));
  vi.stubGlobal("AudioBufferSourceNode", stub({}));
  vi.stubGlobal("AudioBuffer", stub({ getChannelData: () => new Float32Array(4) }));
  vi.stubGlobal("GainNode", stub({ gain: { setValueAtTime: (value: number) => peaks.push(value), exponentialRampToValueAtTime() {} } }));
}

beforeEach(() => {
  felt.length = 0;
  peaks = [];
  vi.resetModules();
  vi.stubGlobal("navigator", { languages: ["en"], maxTouchPoints: 5, vibrate: (pattern: unknown) => felt.push(pattern) });
  silent();
});

async function withSettings(wanted: Record<string, unknown>) {
  vi.stubGlobal("localStorage", { getItem: () => JSON.stringify(wanted), setItem() {} });
  return import("../src/sounds.ts");
}

test("at the first visit nothing is heard or felt", async () => {
  const sounds = await withSettings({});

  sounds.seal();
  sounds.reveal();
  sounds.win(true);

  expect([peaks, felt]).toEqual([[], []]);
});

test("a phone is felt at the seal, the reveal and one's own win, also without sound", async () => {
  const sounds = await withSettings({ vibration: true });

  sounds.seal();
  sounds.reveal();
  sounds.win(false);
  sounds.win(true);

  expect(felt).toEqual([[10], [25], [30, 60, 30, 60, 90]]);
  expect(peaks).toEqual([]);
});

test("sounds are as loud as they are set", async () => {
  const loud = await withSettings({ sound: true, volume: 100 });
  loud.seal();
  vi.resetModules();
  const low = await withSettings({ sound: true, volume: 20 });
  low.seal();

  expect(peaks[1]! / peaks[0]!).toBeCloseTo(0.2);
  expect(felt).toEqual([]);
});
