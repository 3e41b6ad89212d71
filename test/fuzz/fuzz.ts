/** Feeds hostile octets to parsers, and measures their cost against `JSON.parse` of the same size. */
import { dlopen, ptr } from "bun:ffi";
import { Chance } from "../simulation/chance.ts";
import { hostileOctets } from "./hostile-octets.ts";
import type { Parser } from "./parsers.ts";

export const octetsMax = 64 * 1024;
/** Compared with `JSON.parse` of as many octets. `TEST_FUZZ_FACTOR=10` finds parsers within a factor of two of the limit. */
const factorMax = Number(process.env.TEST_FUZZ_FACTOR ?? 20);
/** Smaller inputs may cost as much as this many octets: the thread's clock is too coarse for less. */
const comparedMin = 8 * 1024;
/** Each measures both side by side: the machine may be slower now than a moment ago. */
const attempts = 8;
/** Calls of `JSON.parse` in one attempt, so that garbage collection does not distort it. */
const comparisons = 3;

const builtIn = new Set(["TypeError", "ReferenceError", "SyntaxError", "EvalError", "Error"]);

export interface Offence {
  parser: string;
  /** How to draw the input again. */
  round: number;
  what: string;
  /** Its first octets. */
  input: string;
}

const { symbols: libc } = dlopen("libc.so.6", { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } });
/** CLOCK_THREAD_CPUTIME_ID: exact, whereas getrusage counts the kernel's ticks. */
const threadClock = 3;
const timespec = new BigInt64Array(2);

function threadMs(): number {
  libc.clock_gettime(threadClock, ptr(timespec));
  return Number(timespec[0]) * 1_000 + Number(timespec[1]) / 1e6;
}

/** Processor time of this thread, in milliseconds. */
function cpuMs(work: () => unknown): number {
  const before = threadMs();
  work();
  return threadMs() - before;
}

/** Messages as customers send them, at least this many octets. */
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

interface Comparison {
  batch: Buffer;
  /** The shortest time measured so far. */
  leastMs: number;
}
/** By number of octets. */
const comparisonsBySize = new Map<number, Comparison>();

function comparisonOf(octets: number): Comparison {
  // Rounded up to a power of two, so that few sizes are compared.
  const size = 2 ** Math.ceil(Math.log2(Math.max(octets, comparedMin)));
  const known = comparisonsBySize.get(size) ?? { batch: Buffer.from(batchOf(size)), leastMs: Number.POSITIVE_INFINITY };
  comparisonsBySize.set(size, known);
  if (known.leastMs === Number.POSITIVE_INFINITY) for (let time = 0; time < 10; time += 1) costOfJson(known);
  return known;
}

function costOfJson(comparison: Comparison): number {
  const parse = () => cpuMs(() => JSON.parse(comparison.batch.toString("utf8")));
  const ms = Math.min(...Array.from({ length: comparisons }, parse));
  comparison.leastMs = Math.min(comparison.leastMs, ms);
  return ms;
}

/** Times `JSON.parse` of as many octets, the shortest of several attempts; they end once the input is within the limit. */
function leastFactor(parse: () => void, octets: number): number {
  const comparison = comparisonOf(octets);
  let least = cpuMs(parse) / comparison.leastMs;
  for (let attempt = 0; least > factorMax && attempt < attempts; attempt += 1) {
    least = Math.min(least, cpuMs(parse) / costOfJson(comparison));
  }
  return least;
}

/** Null if nothing is wrong. */
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
  const call = parser.prepare(input);
  const parse = () => {
    try {
      call();
    } catch (reason) {
      const name = reason instanceof Error ? reason.constructor.name : typeof reason;
      if (builtIn.has(name) || name === "RangeError") thrown = `throws ${name}: ${String(reason)}`;
    }
  };
  const factor = leastFactor(parse, input.length);
  if (thrown !== null) return offence(thrown);
  return factor > factorMax
    ? offence(`takes ${factor.toFixed(1)} times what JSON.parse takes for ${input.length} octets`)
    : null;
}
