import { bytesToHex, randomBytes } from "@noble/hashes/utils.js";

/** A secret in random hexadecimal digits: ids and salts. It needs no secure context. */
export function randomHex(bytes: number): string {
  return bytesToHex(randomBytes(bytes));
}
