/** Streams the traffic on one route's connections as JSON lines, limited in time and size. Nothing is stored. */
import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { OperatorError } from "../domain/operator-error.ts";
import { isoTime } from "../platform/clock.ts";
import type { TraceEvent } from "../providers/route-trace.ts";
import type { OperatorDeps } from "./deps.ts";
import { StreamedAnswer } from "./operation.ts";

/** One line of the stream; the last one is `end`. */
export type TraceLine =
  | { kind: "start"; route: string; until: string }
  | ({ kind: "event"; at: string; words: string } & Pick<TraceEvent, "link" | "direction">)
  /** `leftOut`: lines dropped because they arrived faster than they were read. */
  | { kind: "end"; why: "time" | "size" | "stopped"; events: number; leftOut: number };

const minutesDefault = 10;
const minutesMax = 60;
/** Over all lines. */
const octetsMax = 16 * 1024 * 1024;
const wordsMax = 8_000;
/** Buffered for a slow reader. */
const waitingOctetsMax = 1024 * 1024;

export const routeTraceFields = {
  minutes: t.Optional(t.Number({ minimum: 0.1, maximum: minutesMax })),
  /** Whether texts and whole numbers are shown; one-time passwords never are. */
  showTexts: t.Optional(t.Boolean()),
};

type TraceDeps = Pick<OperatorDeps, "traces" | "clock">;

/** @throws OperatorError `traces_busy` */
export function routeTraceAnswer(
  route: { id: number; name: string },
  { minutes = minutesDefault, showTexts = false }: Static<TObject<typeof routeTraceFields>>,
  deps: TraceDeps,
): StreamedAnswer<TraceLine> {
  const stream = new TraceStream(route.id, showTexts, deps);
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => stream.start(controller, route.name, minutes * 60_000),
      cancel: () => stream.leave(),
    },
    { highWaterMark: waitingOctetsMax, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  return new StreamedAnswer("application/x-ndjson", body);
}

class TraceStream {
  readonly #deps: TraceDeps;
  readonly #view: { showsTexts: boolean };
  readonly #encoder = new TextEncoder();
  readonly #unwatch: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #timer: { cancel(): void } | null = null;
  #octets = 0;
  #events = 0;
  #leftOut = 0;

  constructor(routeId: number, showsTexts: boolean, deps: TraceDeps) {
    this.#deps = deps;
    this.#view = { showsTexts };
    const unwatch = deps.traces.watch(routeId, {
      told: (event) => this.#told(event),
      ended: () => this.#end("stopped"),
    });
    if (unwatch === null) throw new OperatorError("traces_busy");
    this.#unwatch = unwatch;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>, route: string, durationMs: number): void {
    const { clock } = this.#deps;
    this.#controller = controller;
    this.#write({ kind: "start", route, until: isoTime(clock.now() + durationMs) });
    this.#timer = clock.after(durationMs, () => this.#end("time"));
  }

  /** Nobody is reading any more. */
  leave(): void {
    this.#unwatch();
    this.#timer?.cancel();
    this.#controller = null;
  }

  #told({ link, direction, words }: TraceEvent): void {
    if ((this.#controller?.desiredSize ?? 0) <= 0) {
      this.#leftOut += 1;
      return;
    }
    this.#events += 1;
    const at = isoTime(this.#deps.clock.now());
    this.#write({ kind: "event", at, link, direction, words: words(this.#view).slice(0, wordsMax) });
    if (this.#octets >= octetsMax) this.#end("size");
  }

  #end(why: Extract<TraceLine, { kind: "end" }>["why"]): void {
    this.#write({ kind: "end", why, events: this.#events, leftOut: this.#leftOut });
    this.#controller?.close();
    this.leave();
  }

  #write(line: TraceLine): void {
    const chunk = this.#encoder.encode(`${JSON.stringify(line)}\n`);
    this.#octets += chunk.byteLength;
    this.#controller?.enqueue(chunk);
  }
}
