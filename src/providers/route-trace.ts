/** What goes over one route's connections, for an operator who looks on. Nothing is kept, and nothing costs while nobody looks. */

export interface TraceView {
  /** Texts and numbers are shown; never those of one-time passwords, nor credentials. */
  showsTexts: boolean;
}

export interface TraceEvent {
  /** The bind or the host. */
  link: string;
  /** `state`: the link itself came up or ended. */
  direction: "out" | "in" | "state";
  /** To be called at once: what it describes may be gone later. */
  words(view: TraceView): string;
}

export class RouteTrace {
  readonly #listeners = new Set<(event: TraceEvent) => void>();

  /** Somebody looks on: only then may an event be made. */
  get isOn(): boolean {
    return this.#listeners.size > 0;
  }

  add(event: TraceEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Returns what ends it. */
  listen(listener: (event: TraceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Who looks on. */
export interface TraceWatcher {
  told(event: TraceEvent): void;
  /** The server stops. */
  ended(): void;
}

/** Each of them renders every event anew. */
const watchersMax = 8;

/** By route; a route keeps its trace when its provider is built anew. */
export class RouteTraces {
  readonly #byRoute = new Map<number, RouteTrace>();
  readonly #watchers = new Set<TraceWatcher>();

  of(routeId: number): RouteTrace {
    const known = this.#byRoute.get(routeId);
    if (known !== undefined) return known;
    const trace = new RouteTrace();
    this.#byRoute.set(routeId, trace);
    return trace;
  }

  /** Returns what ends it; null where too many look on already. */
  watch(routeId: number, watcher: TraceWatcher): (() => void) | null {
    if (this.#watchers.size >= watchersMax) return null;
    const unlisten = this.of(routeId).listen((event) => watcher.told(event));
    this.#watchers.add(watcher);
    return () => {
      unlisten();
      this.#watchers.delete(watcher);
    };
  }

  /** Ends all of them. */
  close(): void {
    for (const watcher of [...this.#watchers]) watcher.ended();
  }
}

/** Shorter ones are short codes and counts. */
const phoneDigits = /\d{7,}/g;

/** A number without its middle: `9891******67`. */
export function maskedNumber(text: string): string {
  return text.replace(phoneDigits, (digits) => digits.slice(0, 4) + "*".repeat(digits.length - 6) + digits.slice(-2));
}

export const shownNumber = (text: string, { showsTexts }: TraceView) => (showsTexts ? text : maskedNumber(text));

/** How a text is told: as it is, or by its length alone. */
export function shownText(text: string, { showsTexts }: TraceView): string {
  return showsTexts ? JSON.stringify(text) : `${[...text].length} characters (hidden)`;
}
