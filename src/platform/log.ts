/** Creates the log: one JSON line per event on stdout, readable text on a terminal. Never a key, a code or a message text. */
import pino, { type Logger as PinoLogger } from "pino";

export type Logger = PinoLogger;

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

const secretKeys = ["apiKey", "password", "secret", "signingSecret", "text", "headers"];

/** Must never reach a log, whatever object a caller hands in. An error's own `message` and `code` stay: they are its words. */
const redacted = ["message", "code", "body", ...secretKeys, ...secretKeys.map((key) => `*.${key}`)];

/** Lines are gathered up to this many bytes before they are written: a write per line cost a fifth of the throughput. pino wants less than 16 KiB. */
const bufferBytes = 8 * 1024;

export async function createLog(level: LogLevel, terminal = process.stdout.isTTY === true): Promise<Logger> {
  const destination = terminal
    ? await prettyDestination()
    : pino.destination({ fd: 1, minLength: bufferBytes, sync: false, periodicFlush: 200 });
  return pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: redacted, remove: true },
    },
    destination,
  );
}

/** Loaded late: a service writes to no terminal. */
async function prettyDestination() {
  const { default: pretty } = await import("pino-pretty");
  return pretty({ colorize: true, ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss.l", sync: true });
}

/** A log that says nothing, for tests and tools. */
export const silentLog: Logger = pino({ level: "silent" });
