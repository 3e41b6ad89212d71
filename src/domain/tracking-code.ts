/** Tracking codes: 26 characters in ULID format, which sort by time of acceptance. */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const canonical = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Ten bits as two characters: half the look-ups of single characters. */
const pairs = Array.from({ length: 1024 }, (_, value) => alphabet.charAt(value >> 5) + alphabet.charAt(value & 31));

const half = 2 ** 40;
const timeMax = 2 ** 48 - 1;
const bytesPerDraw = 10;
/** Drawing the bytes for each code separately cost more than the rest of the code. */
const drawsPerBlock = 128;

export interface CodeClock {
  /** Epoch milliseconds. */
  now(): number;
}

export interface CodeRandom {
  bytes(count: number): Uint8Array;
}

export interface TrackingCodes {
  /** A code that sorts after every earlier code of this source, even if the clock stands still or goes back. */
  next(): string;
}

/** The lowest 40 bits of a whole number as eight characters. */
function eightCharacters(value: number): string {
  const high = Math.floor(value / 2 ** 20);
  const low = value % 2 ** 20;
  return `${pairs[high >> 10]}${pairs[high & 1023]}${pairs[low >> 10]}${pairs[low & 1023]}`;
}

/** 48 bits of time as ten characters; the first holds three bits. */
function timeCharacters(epochMs: number): string {
  return `${pairs[Math.floor(epochMs / half)]}${eightCharacters(epochMs % half)}`;
}

/** Hands out random 40-bit numbers, drawn in blocks. */
function drawer(random: CodeRandom): () => number {
  let block = new Uint8Array(0);
  let view = new DataView(block.buffer);
  let position = 0;
  return () => {
    if (position + bytesPerDraw / 2 > block.length) {
      block = new Uint8Array(random.bytes(bytesPerDraw * drawsPerBlock));
      view = new DataView(block.buffer);
      position = 0;
    }
    const value = view.getUint8(position) * 2 ** 32 + view.getUint32(position + 1);
    position += bytesPerDraw / 2;
    return value;
  };
}

/**
 * A source of tracking codes: 48 bits of time and 80 random bits. Within a millisecond, and while the clock is behind
 * the last code, the random bits count up. Their top bit is drawn as 0, which leaves room for 2^79 codes a millisecond.
 * @throws RangeError from `next` if the clock is outside 1970 to 10889.
 */
export function trackingCodes(clock: CodeClock, random: CodeRandom): TrackingCodes {
  const draw = drawer(random);
  let lastMs = -1;
  let high = 0;
  let low = 0;
  let prefix = "";
  const reprefix = () => {
    prefix = timeCharacters(lastMs) + eightCharacters(high);
  };
  return {
    next() {
      const nowMs = Math.floor(clock.now());
      if (!(nowMs >= 0 && nowMs <= timeMax)) throw new RangeError(`the clock shows ${nowMs}, which no code can hold`);
      if (nowMs > lastMs) {
        lastMs = nowMs;
        high = draw() % (half / 2);
        low = draw();
        reprefix();
      } else {
        low += 1;
        if (low === half) {
          low = 0;
          high += 1;
          reprefix();
        }
      }
      return prefix + eightCharacters(low);
    },
  };
}

/** True only for the canonical form: upper case, Crockford's alphabet, 26 characters. */
export function isTrackingCode(text: string): boolean {
  return canonical.test(text);
}
