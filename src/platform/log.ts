/** Creates the log: one JSON line per event on stdout, readable text on a terminal. Never a key, a code or a message text. */
import pino, { type LoggerOptions, type Logger as PinoLogger } from "pino";

export type Logger = PinoLogger;

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

const secretKeys = ["apiKey", "password", "secret", "signingSecret", "text", "headers"];

/** Must never reach a log, whatever object a caller hands in. An error's own `message` and `code` stay: they are its words. */
const redacted = ["message", "code", "body", ...secretKeys, ...secretKeys.map((key) => `*.${key}`)];

/** Lines are gathered up to this many bytes before they are written: a write per line cost a fifth of the throughput. pino wants less than 16 KiB. */
const bufferBytes = 8 * 1024;
const flushMs = 200;
/** As pino numbers them. */
const warnLevel = 40;

export async function createLog(level: LogLevel, terminal = process.stdout.isTTY === true): Promise<Logger> {
  return terminal ? pino(optionsOf(level), await prettyDestination()) : gatheringLog(level, 1);
}

const optionsOf = (level: LogLevel): LoggerOptions => ({
  level,
  base: null,
  formatters: { level: (label) => ({ level: label }) },
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: { paths: redacted, remove: true },
});

/**
 * A warning may be said once and never again, since the state that it tells of is stored (a quota that passed 80 %). It goes out
 * within its turn of the event loop, with all before it, so that a kill a moment later does not lose it: 4 µs for each turn that warns.
 */
export function gatheringLog(level: LogLevel, fd: number): Logger {
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
    destination,
  );
}

/** One write for all that is said until then; what is said while one goes on follows it at once. */
function flusherOf(destination: ReturnType<typeof pino.destination>): () => void {
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
    if (!isScheduled) queueMicrotask(flush);
    isScheduled = true;
  };
}

/** Loaded late: a service writes to no terminal. */
async function prettyDestination() {
  const { default: pretty } = await import("pino-pretty");
  return pretty({ colorize: true, ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss.l", sync: true });
}

/** A log that says nothing, for tests and tools. */
export const silentLog: Logger = pino({ level: "silent" });
