/** Idempotency-Keys with the same xxHash64, made as an attacker would make them. */

const bits64 = (1n << 64n) - 1n;
const prime1 = 0x9e3779b185ebca87n;
const prime2 = 0xc2b2ae3d27d4eb4fn;
/** The modular inverse of `prime2`, modulo 2^64. */
const prime2Inverse = 0x0ba79078168d4bafn;
/** The initial state of xxHash64's four lanes, with seed 0. */
const lanes = [(prime1 + prime2) & bits64, prime2, 0n, -prime1 & bits64];

const round = (lane: bigint, input: bigint): bigint => {
  const sum = (lane + input * prime2) & bits64;
  return (((sum << 31n) | (sum >> 33n)) * prime1) & bits64;
};

const bytesOf = (word: bigint): number[] =>
  Array.from({ length: 8 }, (_, index) => Number((word >> BigInt(8 * index)) & 255n));
const wordOf = (text: string): bigint => Buffer.from(text, "latin1").readBigUInt64LE();
const isPrintable = (word: bigint): boolean => bytesOf(word).every((byte) => byte >= 0x20 && byte <= 0x7e);

/** `count` pairs of words that leave a lane in the same state. The first word begins with `prefix`. */
function pairs(lane: bigint, prefix: string, count: number): [first: string, second: string][] {
  const found: [string, string][] = [];
  const firstOf = (number: number) => `${prefix}${number.toString(36).padStart(8 - prefix.length, "0")}`;
  // Equal sums enter the second round's rotation, so its result is the same.
  const sum = (round(lane, wordOf(firstOf(0))) + wordOf("00000000") * prime2) & bits64;
  for (let number = 0; found.length < count; number += 1) {
    const first = firstOf(number);
    const second = (((sum - round(lane, wordOf(first))) & bits64) * prime2Inverse) & bits64;
    if (isPrintable(second)) found.push([first, Buffer.from(bytesOf(second)).toString("latin1")]);
  }
  return found;
}

/** Keys of 62 characters for which `<apiKeyId>:<key>` has the same xxHash64. `apiKeyId` has one digit. */
export function collidingKeys(apiKeyId: number, count: number): string[] {
  const prefix = `${apiKeyId}:`;
  const each = Math.ceil(count ** (1 / lanes.length));
  const choices = lanes.map((lane, index) => pairs(lane, index === 0 ? prefix : "", each));
  return Array.from({ length: count }, (_, number) => {
    const chosen = choices.map((choice, index) => choice[Math.floor(number / each ** index) % each] ?? ["", ""]);
    const text = chosen.map(([first]) => first).join("") + chosen.map(([, second]) => second).join("");
    return text.slice(prefix.length);
  });
}
