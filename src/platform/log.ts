/** Creates the log: one JSON line per event on stdout, readable text on a terminal. Never a key, a code or a message text. */

import pino, { type LoggerOptions, type Logger as PinoLogger } from "pino";
import { isJournal, journalPriority } from "./journal.ts";
import { afterThisStretch } from "./next-turn.ts";

export type Logger = PinoLogger;

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

const secretKeys = ["apiKey", "password", "secret", "signingSecret", "text", "headers"];

/**
 * Must never reach a log, whatever object a caller passes. An error's own `message` and `code` stay: they describe it.
 */
const redacted = ["message", "code", "body", ...secretKeys, ...secretKeys.map((key) => `*.${key}`)];

/**
 * Lines are buffered up to this many bytes before they are written: a write per line cost a fifth of the throughput.
 * pino requires less than 16 KiB.
 */
const bufferBytes = 8 * 1024;
const flushMs = 200;
/** In pino's numbering. */
const warnLevel = 40;

export async function createLog(level: LogLevel, terminal = process.stdout.isTTY === true): Promise<Logger> {
  return terminal
    ? pino(optionsOf(level), await prettyDestination())
    : gatheringLog(level, 1, process.env.JOURNAL_STREAM);
}

const optionsOf = (level: LogLevel): LoggerOptions => ({
  level,
  base: null,
  formatters: { level: (label) => ({ level: label }) },
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: { paths: redacted, remove: true },
});

/**
 * A warning may be logged once and never again, because the state it reports is stored (a quota past 80 %). It is
 * written within its turn of the event loop, with everything before it, so that a kill a moment later does not lose it:
 * 4 µs per turn with a warning.
 */
export function gatheringLog(level: LogLevel, fd: number, journalStream?: string): Logger {
  const destination = pino.destination({ fd, minLength: bufferBytes, sync: false, periodicFlush: flushMs });
  const flushSoon = flusherOf(destination);
  return pino(
    {
      ...optionsOf(level),
      hooks: {
        logMethod(args, method, levelNumber) {
          method.apply(this, args);
          if (levelNumber >= warnLevel) flushSoon();
        },
      },
    },
    isJournal(journalStream, fd) ? journalStreamOf(destination) : destination,
  );
}

type Destination = ReturnType<typeof pino.destination>;

/** Prefixes each line with its priority; pino announces the level of a line before writing it. */
function journalStreamOf(destination: Destination) {
  return {
    [Symbol.for("pino.metadata")]: true,
    lastLevel: 0,
    write(line: string): void {
      destination.write(journalPriority(this.lastLevel) + line);
    },
    flush: (done?: (reason?: Error) => void): void => destination.flush(done),
  };
}

/** One write for everything logged until then; lines logged during a write follow right after it. */
function flusherOf(destination: Destination): () => void {
  let isDue = false;
  let isScheduled = false;
  // A flush during a write does nothing.
  destination.on("drain", () => {
    if (!isDue) return;
    isDue = false;
    destination.flush();
  });
  const flush = () => {
    isScheduled = false;
    destination.flush();
  };
  return () => {
    isDue = true;
    if (!isScheduled) afterThisStretch(flush);
    isScheduled = true;
  };
}

/** Loaded on demand: a service does not write to a terminal. */
async function prettyDestination() {
  const { default: pretty } = await import("pino-pretty");
  return pretty({ colorize: true, ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss.l", sync: true });
}

/** A log that discards everything, for tests and tools. */
export const silentLog: Logger = pino({ level: "silent" });
