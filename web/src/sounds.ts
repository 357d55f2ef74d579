/**
 * Short sounds, made here: paper and wood; and what a phone lets you feel. Both are off until somebody asks for them. The first
 * touch unlocks the sounds where a browser wants that.
 */
import { settings } from "./settings.svelte.ts";

const LOUDEST = 0.25; // −12 dB; half of the volume is −18 dB
let context: AudioContext | null = null;

/** Let sounds play after the first touch, as phones want it. */
export function unlockSounds(): void {
  const unlock = () => settings.sound && void ready()?.resume();
  addEventListener("pointerdown", unlock, { passive: true });
  addEventListener("keydown", unlock);
}

function ready(): AudioContext | null {
  if (typeof AudioContext === "undefined") return null;
  return (context ??= new AudioContext());
}

/** Whether this device can be felt: laptops have the function, but nothing that moves. */
export const canVibrate = typeof navigator !== "undefined" && "vibrate" in navigator && navigator.maxTouchPoints > 0;

function vibrate(...pattern: number[]): void {
  if (settings.vibration && canVibrate) navigator.vibrate(pattern);
}

/** One dry paper press. */
export function seal(): void {
  rustle(0, 0.06, 2600);
  vibrate(10);
}

/** Three to five wooden knocks. */
export function dice(): void {
  const knocks = 3 + Math.floor(Math.random() * 3);
  for (let i = 0; i < knocks; i++) knock((i * 0.4) / knocks + Math.random() * 0.04, 300 + Math.random() * 260);
}

/** One snap for the whole table, not one a seat: a sound never depends on a secret. */
export function reveal(): void {
  rustle(0, 0.05, 4200);
  knock(0.02, 640);
  vibrate(25);
}

/** Two soft knocks. */
export function yourTurn(): void {
  knock(0, 220);
  knock(0.16, 220);
}

/** A paper flutter; if you win, the rosette is pressed on and three wooden notes go up. */
export function win(isOwn: boolean): void {
  for (let i = 0; i < 9; i++) rustle(i * 0.07, 0.06, 1800 + i * 260);
  if (!isOwn) return;
  [392, 494, 587].forEach((pitch, at) => knock(0.1 + at * 0.14, pitch));
  vibrate(30, 60, 30, 60, 90);
}

function knock(at: number, pitch: number): void {
  const audio = settings.sound ? ready() : null;
  if (audio === null) return;
  const start = audio.currentTime + at;
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  tone.frequency.exponentialRampToValueAtTime(pitch * 0.6, start + 0.09);
  tone.connect(fading(audio, start, 0.09)).connect(audio.destination);
  tone.start(start);
  tone.stop(start + 0.1);
}

function rustle(at: number, length: number, pitch: number): void {
  const audio = settings.sound ? ready() : null;
  if (audio === null) return;
  const start = audio.currentTime + at;
  const noise = new AudioBuffer({ length: Math.ceil(audio.sampleRate * length), sampleRate: audio.sampleRate });
  noise.getChannelData(0).forEach((_, i, data) => (data[i] = Math.random() * 2 - 1));
  const paper = new AudioBufferSourceNode(audio, { buffer: noise });
  const tint = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 0.8 });
  paper.connect(tint).connect(fading(audio, start, length)).connect(audio.destination);
  paper.start(start);
}

function fading(audio: AudioContext, start: number, length: number): GainNode {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime((LOUDEST * settings.volume) / 100, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  return gain;
}
