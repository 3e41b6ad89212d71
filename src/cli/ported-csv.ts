/** Reads a CSV file of ported numbers line by line, whatever its size, and tells what is wrong with which line. */
import { readSync } from "node:fs";

export interface LineProblem {
  line: number;
  message: string;
}

export interface PortedReading {
  /** The places of the networks in the table, by their names in lower case. */
  places: ReadonlyMap<string, number>;
  /** May return what is wrong with the number. */
  take(number: number, place: number, line: number): string | undefined;
  /** Bytes read so far. */
  progress(bytes: number): void;
}

const chunkBytes = 1024 * 1024;
const lineBytesMax = 256;
/** After these the file is not read on. */
const problemsMax = 100;
const digitsMin = 7;
const digitsMax = 15;
const shownMax = 40;
const lineFeed = 10;
const [zero, nine, plus, quote] = [48, 57, 43, 34];

/** Empty if every line was taken. Blocks its thread. */
export function readPorted(descriptor: number, reading: PortedReading): LineProblem[] {
  const lines = new PortedLines(reading);
  const chunk = Buffer.alloc(chunkBytes + lineBytesMax);
  let kept = 0;
  for (let at = 0; lines.goesOn; reading.progress(at)) {
    const read = readSync(descriptor, chunk, kept, chunkBytes, at);
    at += read;
    const filled = chunk.subarray(0, kept + read);
    let start = 0;
    for (let end = filled.indexOf(lineFeed); end !== -1 && lines.goesOn; end = filled.indexOf(lineFeed, start)) {
      lines.read(filled, start, end);
      start = end + 1;
    }
    kept = filled.length - start;
    if (read === 0 || kept > lineBytesMax) {
      if (kept > 0 && lines.goesOn) lines.read(filled, start, filled.length);
      break;
    }
    chunk.copy(chunk, 0, start, filled.length);
  }
  return lines.ended();
}

class PortedLines {
  readonly #reading: PortedReading;
  readonly #problems: LineProblem[] = [];
  /** By a sum of their bytes: a text for each of many million lines filled the memory. */
  readonly #spellings = new Map<number, { bytes: Uint8Array; place: number }>();
  #delimiter = 0;
  #line = 0;
  goesOn = true;

  constructor(reading: PortedReading) {
    this.#reading = reading;
  }

  read(bytes: Buffer, start: number, end: number): void {
    this.#line += 1;
    const problem = this.#problemOf(bytes, start, end);
    if (problem === undefined) return;
    this.#problems.push({ line: this.#line, message: problem });
    if (this.#problems.length === problemsMax) this.goesOn = false;
  }

  ended(): LineProblem[] {
    if (this.#line < 2 && this.#problems.length === 0)
      this.#problems.push({ line: 1, message: "there are no numbers" });
    return this.#problems;
  }

  #problemOf(bytes: Buffer, start: number, end: number): string | undefined {
    if (end - start > lineBytesMax) {
      this.goesOn = false;
      return `is longer than ${lineBytesMax} bytes: this is no CSV of numbers and networks`;
    }
    if (this.#line === 1) return this.#header(bytes.toString("utf8", start, end));
    let at = start;
    while (bytes[at] === quote || bytes[at] === plus) at += 1;
    let number = 0;
    const first = at;
    for (let byte = bytes[at] ?? 0; at < end && byte >= zero && byte <= nine; byte = bytes[at] ?? 0) {
      number = number * 10 + byte - zero;
      at += 1;
    }
    const digits = at - first;
    if (bytes[at] === quote) at += 1;
    if (at >= end || bytes[at] !== this.#delimiter) return this.#withoutNumber(bytes.toString("utf8", start, end));
    if (digits < digitsMin || digits > digitsMax || bytes[first] === zero)
      return `${shown(bytes.toString("utf8", start, at))} is no number in full, such as +989121234567`;
    const place = this.#placeOf(bytes, at + 1, end);
    return typeof place === "string" ? place : this.#reading.take(number, place, this.#line);
  }

  #header(text: string): string | undefined {
    const [, delimiter] = /^\ufeff?"?number"?([,;\t])"?network"?\s*$/i.exec(text) ?? [];
    this.#delimiter = delimiter?.charCodeAt(0) ?? 0;
    if (delimiter !== undefined) return;
    this.goesOn = false;
    return `must be number,network, and is ${shown(text)}`;
  }

  #withoutNumber(text: string): string | undefined {
    if (text.trim() === "") return;
    const delimiter = String.fromCharCode(this.#delimiter);
    if (!text.includes(delimiter)) return `${shown(text)} has no network: is the file cut short?`;
    return `${shown(text.slice(0, text.indexOf(delimiter)))} is no number in full, such as +989121234567`;
  }

  #placeOf(bytes: Buffer, start: number, end: number): number | string {
    let sum = 0;
    for (let at = start; at < end; at += 1) sum = (sum * 31 + (bytes[at] ?? 0)) | 0;
    const known = this.#spellings.get(sum);
    if (known !== undefined && bytes.compare(known.bytes, 0, known.bytes.length, start, end) === 0) return known.place;
    const name = bytes
      .toString("utf8", start, end)
      .trim()
      .replace(/^"([^"]*)"$/, "$1");
    if (name === "") return "has no network: is the file cut short?";
    const place = this.#reading.places.get(name.toLowerCase());
    if (place === undefined) return `${shown(name)} is no network. See: peyk network list`;
    this.#spellings.set(sum, { bytes: Uint8Array.from(bytes.subarray(start, end)), place });
    return place;
  }
}

/** Garbage must not reach a terminal. */
function shown(text: string): string {
  const clean = text.trim().replaceAll(/\p{Cc}/gu, "\ufffd");
  return `"${clean.length > shownMax ? `${clean.slice(0, shownMax)}…` : clean}"`;
}
