/**
 * The open streams of all pages. Each has a heartbeat, and ends with its session, with its reader, or when the service
 * stops. Bun and proxies would cut connections that stay silent.
 */
import type { Clock, Timer } from "../../platform/clock.ts";
import { type SessionOfUser, sessionKey } from "../../users/session-ends.ts";
import type { PageEvent, PageEvents } from "../page/page.ts";
import { pageHeaders } from "../security.ts";

export interface EventStreamsDeps {
  clock: Pick<Clock, "after">;
  /** True while this user's session is valid. Asking does not extend it. */
  isOpen(session: SessionOfUser): boolean;
}

/** A session ended by somebody else receives nothing after this time. */
const lookMs = 1_000;
const looksBetweenBeats = 15;
/** More connections than a browser opens to one host. */
const streamsOfUserMax = 8;
/** A reader this many chunks behind is disconnected; its browser reconnects. */
const chunksBehindMax = 50;

/** nginx would otherwise buffer the stream. */
const streamHeaders = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };

interface OpenStream {
  session: SessionOfUser;
  end(): void;
  /** Called when the client has closed the stream. */
  gone(): void;
}

/** A download in progress. */
type OpenDownload = Pick<OpenStream, "session" | "end">;

export class EventStreams {
  readonly #open = new Set<OpenStream>();
  readonly #downloads = new Set<OpenDownload>();

  constructor(private readonly deps: EventStreamsDeps) {}

  get count(): number {
    return this.#open.size;
  }

  /** Null: the user has too many open streams. */
  open(session: SessionOfUser, events: PageEvents, signal: AbortSignal): Response | null {
    const ofUser = [...this.#open].filter((stream) => stream.session.userId === session.userId);
    if (ofUser.length >= streamsOfUserMax) return null;
    let stream: OpenStream | null = null;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = this.#begin(session, events, controller);
        if (signal.aborted) stream.end();
        signal.addEventListener("abort", stream.end, { once: true });
      },
      cancel: () => stream?.gone(),
    });
    return new Response(body, { headers: { ...pageHeaders(), ...streamHeaders } });
  }

  /** The same content, aborted if the session ends first: an aborted download is not mistaken for a complete one. */
  whileOpen(session: SessionOfUser, content: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const ending = new AbortController();
    const end = () => ending.abort(new Error("The session has ended"));
    const download = { session, end };
    this.#downloads.add(download);
    if (!this.deps.isOpen(session)) end();
    const passed = new TransformStream<Uint8Array, Uint8Array>();
    void content
      .pipeTo(passed.writable, { signal: ending.signal })
      // The reader knows: the download was aborted, or the reader has left.
      .catch(() => {})
      .finally(() => this.#downloads.delete(download));
    return passed.readable;
  }

  endSession(ended: SessionOfUser): void {
    for (const { session, end } of [...this.#open, ...this.#downloads]) {
      if (sessionKey(session) === sessionKey(ended)) end();
    }
  }

  stop(): void {
    for (const { end } of [...this.#open, ...this.#downloads]) end();
  }

  #begin(
    session: SessionOfUser,
    events: PageEvents,
    controller: ReadableStreamDefaultController<Uint8Array>,
  ): OpenStream {
    const encoder = new TextEncoder();
    let timer: Timer | null = null;
    let looks = 0;
    let stopEvents: (() => void) | null = null;
    let hasEnded = false;
    let lastId = 0;
    const gone = () => {
      hasEnded = true;
      timer?.cancel();
      stopEvents?.();
      this.#open.delete(stream);
    };
    const end = () => {
      if (hasEnded) return;
      gone();
      controller.close();
    };
    const stream = { session, end, gone };
    const write = (text: string) => {
      const isBehind = (controller.desiredSize ?? 0) < -chunksBehindMax;
      if (hasEnded || isBehind || !this.deps.isOpen(session)) return end();
      controller.enqueue(encoder.encode(text));
    };
    const look = () => {
      if (!this.deps.isOpen(session)) return end();
      if (looks % looksBetweenBeats === 0) write(": still here\n\n");
      looks += 1;
      if (!hasEnded) timer = this.deps.clock.after(lookMs, look);
    };
    this.#open.add(stream);
    // Sends the response headers immediately.
    look();
    if (hasEnded) return stream;
    stopEvents = events.start((event) => {
      lastId += 1;
      write(eventText(event, lastId));
    });
    return stream;
  }
}

function eventText({ name, data }: PageEvent, id: number): string {
  const lines = data.split("\n").map((line) => `data: ${line}\n`);
  return `${name === null ? "" : `event: ${name}\n`}id: ${id}\n${lines.join("")}\n`;
}
