/** Feeds parsers with hostile octets, and measures what each costs beside `JSON.parse` of as many. */
import { dlopen, ptr } from "bun:ffi";
import { Chance } from "../simulation/chance.ts";
import { hostileOctets } from "./hostile-octets.ts";
import type { Parser } from "./parsers.ts";

export const octetsMax = 64 * 1024;
/** Of what `JSON.parse` takes for as many octets. */
const factorMax = 20;
/** Below this the clock of a thread says little. */
const shortMs = 0.5;
/** A measurement is the least of so many: what the collector and the compiler take in between is not the parser's. */
const attempts = 6;

const builtIn = new Set(["TypeError", "ReferenceError", "SyntaxError", "EvalError", "Error"]);

export interface Offence {
  parser: string;
  /** How the input is drawn again. */
  round: number;
  what: string;
  /** The first octets. */
  input: string;
}

const { symbols: libc } = dlopen("libc.so.6", { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } });
/** CLOCK_THREAD_CPUTIME_ID: exact, where getrusage counts the kernel's ticks. */
const threadClock = 3;
const timespec = new BigInt64Array(2);

function threadMs(): number {
  libc.clock_gettime(threadClock, ptr(timespec));
  return Number(timespec[0]) * 1_000 + Number(timespec[1]) / 1e6;
}

/** Of processor time that this thread used, in milliseconds. */
function cpuMs(work: () => unknown): number {
  const before = threadMs();
  work();
  return threadMs() - before;
}

/** Messages as customers send them, so many octets and a little more. */
function batchOf(octets: number): string {
  const chance = new Chance("a batch");
  const messages: unknown[] = [];
  for (let length = 0; length < octets; ) {
    const message = {
      sender: "982000123",
      recipient: `+98912${chance.between(1_000_000, 9_999_999)}`,
      message: `پیام ${chance.uuid()} "${chance.fraction()}"\n`,
      clientReference: chance.happens(0.5) ? null : chance.uuid(),
      options: [chance.between(1, 99), true, chance.fraction()],
    };
    messages.push(message);
    length += Buffer.byteLength(JSON.stringify(message)) + 1;
  }
  return JSON.stringify(messages);
}

/** What `JSON.parse` takes for so many octets. */
function costOfJson(octets: number): number {
  const batch = Buffer.from(batchOf(octets));
  return Math.min(...Array.from({ length: 20 }, () => cpuMs(() => JSON.parse(batch.toString("utf8")))));
}

const allowed = new Map<number, number>();

function allowedMs(octets: number): number {
  // To the next power of two: few sizes are measured.
  const size = 2 ** Math.ceil(Math.log2(Math.max(octets, 1_024)));
  const known = allowed.get(size) ?? Math.max(shortMs, factorMax * costOfJson(size));
  allowed.set(size, known);
  return known;
}

/** Null where nothing is wrong. */
export function offenceOf(parser: Parser, round: number, seed = 1): Offence | null {
  const chance = new Chance(seed, parser.name, round);
  const size = Math.min(parser.octetsMax ?? octetsMax, octetsMax) >> (chance.happens(0.25) ? chance.between(1, 10) : 0);
  const input = hostileOctets(chance, Math.max(size, 1)).subarray(0, parser.octetsMax ?? octetsMax);
  const offence = (what: string): Offence => ({
    parser: parser.name,
    round,
    what,
    input: JSON.stringify(input.toString("latin1", 0, 80)),
  });
  let thrown: string | null = null;
  const parse = () => {
    try {
      parser.parse(input);
    } catch (reason) {
      const name = reason instanceof Error ? reason.constructor.name : typeof reason;
      if (builtIn.has(name) || name === "RangeError") thrown = `throws ${name}: ${String(reason)}`;
    }
  };
  const limit = allowedMs(input.length);
  let took = cpuMs(parse);
  for (let attempt = 1; took > limit && attempt < attempts; attempt += 1) took = Math.min(took, cpuMs(parse));
  if (thrown !== null) return offence(thrown);
  return took > limit
    ? offence(`takes ${took.toFixed(1)} ms for ${input.length} octets, above ${limit.toFixed(1)}`)
    : null;
}
