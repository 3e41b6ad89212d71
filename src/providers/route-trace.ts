/**
 * Shows the traffic of one route's connections to an operator who is watching. Nothing is kept, and it costs nothing
 * while nobody is watching.
 */

export interface TraceView {
  /** Texts and numbers are shown; never those of one-time passwords, nor credentials. */
  showsTexts: boolean;
}

export interface TraceEvent {
  /** The bind or the host. */
  link: string;
  /** `state`: the link itself came up or ended. */
  direction: "out" | "in" | "state";
  /** Call it at once: the data it describes may be gone later. */
  words(view: TraceView): string;
}

export class RouteTrace {
  readonly #listeners = new Set<(event: TraceEvent) => void>();

  /** True while somebody is watching: only then may an event be created. */
  get isOn(): boolean {
    return this.#listeners.size > 0;
  }

  add(event: TraceEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Returns a function that ends it. */
  listen(listener: (event: TraceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Whoever is watching. */
export interface TraceWatcher {
  told(event: TraceEvent): void;
  /** The server stops. */
  ended(): void;
}

/** Limited, because every event is rendered for each of them. */
const watchersMax = 8;

/** By route; a route keeps its trace when its provider is rebuilt. */
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

  /** Returns a function that ends it; null if too many are watching already. */
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

/** Shorter numbers are short codes and counts. */
const phoneDigits = /\d{7,}/g;

/** A number without its middle: `9891******67`. */
export function maskedNumber(text: string): string {
  return text.replace(phoneDigits, (digits) => digits.slice(0, 4) + "*".repeat(digits.length - 6) + digits.slice(-2));
}

export const shownNumber = (text: string, { showsTexts }: TraceView) => (showsTexts ? text : maskedNumber(text));

/** How a text is shown: as it is, or only by its length. */
export function shownText(text: string, { showsTexts }: TraceView): string {
  return showsTexts ? JSON.stringify(text) : `${[...text].length} characters (hidden)`;
}
