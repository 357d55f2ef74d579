import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { bytesOf, hex, hmac, sha256, utf8 } from "../src/digest.ts";

const LENGTHS = [0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000];

test("SHA-256 is that of the standard, at every edge of a block", () => {
  expect(hex(sha256(utf8("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  for (const length of LENGTHS) {
    const message = Uint8Array.from({ length }, (_, at) => (at * 7) & 255);
    expect(hex(sha256(message))).toBe(createHash("sha256").update(message).digest("hex"));
  }
});

test("HMAC is that of the standard, for short and long keys", () => {
  for (const length of LENGTHS) {
    const key = Uint8Array.from({ length }, (_, at) => at & 255);
    expect(hex(hmac(key, utf8("Pokade")))).toBe(createHmac("sha256", key).update("Pokade").digest("hex"));
  }
});

test("hexadecimal digits come back as they were", () => {
  expect(hex(bytesOf("00ff10a0"))).toBe("00ff10a0");
});
