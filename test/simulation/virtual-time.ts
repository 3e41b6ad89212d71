/**
 * Time, timers, immediates and chance of this process, under the simulation's control. Import it before anything of
 * `src`: code that asks the process for them gets these. Promises run natively, within one synchronous step
 * (`drainMicrotasks`), and the event loop is never reached.
 */
import { drainMicrotasks } from "bun:jsc";
import { Chance } from "./chance.ts";

interface Task {
  at: number;
  order: number;
  /** 0 is the world's, which survives a crash; otherwise the life of the service that it belongs to. */
  life: number;
  run: (() => void) | null;
}

const startsAt = Date.UTC(2026, 0, 5, 12);
/** The duration of an immediate: a loop that waits in turns comes to an end. */
const turnMs = 0.01;

const RealDate = Date;
/** For reports about the run itself: how long it took. */
export const realNow = performance.now.bind(performance);

class VirtualTime {
  monotonic = 0;
  wall = startsAt;
  /** The running life of the service; of several processes the one whose step it is. */
  life = 1;
  steps = 0;
  #order = 0;
  #timers: Task[] = [];
  #immediates: Task[] = [];
  #newestLife = 1;
  #living = new Set([1]);
  readonly #frozen = new Set<number>();
  /** What frozen processes would have done. */
  #held: Task[] = [];
  /** Called when the step of another process begins. */
  entered: (life: number) => void = () => {};

  /** As at the start of a process. */
  reset(): void {
    this.monotonic = 0;
    this.wall = startsAt;
    this.life = this.#nextLife();
    this.#living = new Set([this.life]);
    this.#frozen.clear();
    this.#held = [];
    this.entered = () => {};
    this.steps = 0;
    this.#order = 0;
    this.#timers = [];
    this.#immediates = [];
  }

  now(): number {
    return Math.floor(this.wall);
  }

  /** A timer of the world: it survives the service. */
  after(delayMs: number, run: () => void): void {
    this.#push({ at: this.monotonic + Math.max(delayMs, 0), order: 0, life: 0, run });
  }

  timer(delayMs: number, run: () => void): Task {
    const task = { at: this.monotonic + Math.max(delayMs, 0), order: 0, life: this.life, run };
    this.#push(task);
    return task;
  }

  immediate(run: () => void): Task {
    const task = { at: 0, order: 0, life: this.life, run };
    this.#immediates.push(task);
    return task;
  }

  /** The service's pending work is lost. */
  endLife(): void {
    this.#living.delete(this.life);
    this.life = this.#nextLife();
    this.#living.add(this.life);
    this.#immediates = [];
  }

  /** A process beside the others. What it does begins with `inLife`. */
  beginBeside(): number {
    const life = this.#nextLife();
    this.#living.add(life);
    return life;
  }

  endBeside(life: number): void {
    this.#living.delete(life);
    this.#frozen.delete(life);
  }

  /** The process does nothing until `thaw`, and then everything that has become due. */
  freeze(life: number): void {
    this.#frozen.add(life);
  }

  thaw(life: number): void {
    this.#frozen.delete(life);
    const held = this.#held;
    this.#held = [];
    for (const task of held) {
      if (task.life !== life) {
        this.#held.push(task);
        continue;
      }
      task.at = this.monotonic;
      this.#push(task);
    }
  }

  /** A step of that process, after so much time: what it begins is its own. */
  inLife(life: number, delayMs: number, run: () => void): void {
    this.#push({ at: this.monotonic + Math.max(delayMs, 0), order: 0, life, run });
  }

  #nextLife(): number {
    this.#newestLife += 1;
    return this.#newestLife;
  }

  pendingTimers(of = this.life): number {
    return this.#timers.filter(({ life, run }) => life === of && run !== null).length;
  }

  /** Runs one immediate, or else the next timer up to `until`, and the promises that it settles. False: nothing is left until then. */
  step(until: number): boolean {
    drainMicrotasks();
    this.steps += 1;
    const run = this.#nextImmediate() ?? this.#nextTimer(until);
    if (run === null) {
      this.#passTo(until);
      return false;
    }
    run();
    drainMicrotasks();
    return true;
  }

  #nextImmediate(): (() => void) | null {
    for (;;) {
      const task = this.#immediates.shift();
      if (task === undefined) return null;
      if (!this.#mayRun(task)) continue;
      this.#passTo(this.monotonic + turnMs);
      return this.#entering(task);
    }
  }

  #nextTimer(until: number): (() => void) | null {
    for (;;) {
      const [next] = this.#timers;
      if (next === undefined || next.at > until) return null;
      this.#pop();
      if (!this.#mayRun(next)) continue;
      this.#passTo(next.at);
      return this.#entering(next);
    }
  }

  #mayRun(task: Task): boolean {
    if (task.run === null) return false;
    if (task.life === 0) return true;
    if (!this.#living.has(task.life)) return false;
    if (!this.#frozen.has(task.life)) return true;
    this.#held.push(task);
    return false;
  }

  #entering({ life, run }: Task): (() => void) | null {
    if (life !== 0 && life !== this.life) {
      this.life = life;
      this.entered(life);
    }
    return run;
  }

  #passTo(at: number): void {
    if (at <= this.monotonic) return;
    this.wall += at - this.monotonic;
    this.monotonic = at;
  }

  #push(task: Task): void {
    this.#order += 1;
    task.order = this.#order;
    const heap = this.#timers;
    heap.push(task);
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfEarlier(at, parent)) return;
      at = parent;
    }
  }

  #pop(): void {
    const heap = this.#timers;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      if (left === undefined) return;
      const child = right !== undefined && isEarlier(right, left) ? 2 * at + 2 : 2 * at + 1;
      if (!this.#swapIfEarlier(child, at)) return;
      at = child;
    }
  }

  #swapIfEarlier(child: number, parent: number): boolean {
    const [below, above] = [this.#timers[child], this.#timers[parent]];
    if (below === undefined || above === undefined || !isEarlier(below, above)) return false;
    this.#timers[parent] = below;
    this.#timers[child] = above;
    return true;
  }
}

const isEarlier = (one: Task, other: Task): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

export const time = new VirtualTime();

/** The source of `Math.random` and of everything else without an injected source of chance; reset by each run. */
export const stray = { chance: new Chance("stray") };

class Handle {
  #task: Task;

  constructor(task: Task) {
    this.#task = task;
  }

  renew(task: Task): void {
    if (this.#task.run !== null) this.#task = task;
  }

  cancel(): void {
    this.#task.run = null;
  }

  get isOver(): boolean {
    return this.#task.run === null;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return false;
  }

  [Symbol.toPrimitive](): number {
    return this.#task.order;
  }

  [Symbol.dispose](): void {
    this.cancel();
  }
}

const cancel = (handle: unknown): void => {
  if (handle instanceof Handle) handle.cancel();
};

type Run = (...values: unknown[]) => void;

function every(run: Run, delayMs: number, values: unknown[]): Handle {
  const handle = new Handle(time.timer(delayMs, tick));
  function tick(): void {
    handle.renew(time.timer(delayMs, tick));
    run(...values);
  }
  return handle;
}

const dateOfTheRun: typeof Date = new Proxy(RealDate, {
  construct: (target, values, made) =>
    Reflect.construct(target, values.length === 0 ? [time.now()] : values, made === dateOfTheRun ? target : made),
  apply: () => new RealDate(time.now()).toString(),
  get: (target, name) => (name === "now" ? () => time.now() : Reflect.get(target, name)),
});

Object.assign(globalThis, {
  Date: dateOfTheRun,
  setTimeout: (run: Run, delayMs = 0, ...values: unknown[]) =>
    new Handle(time.timer(Number(delayMs) || 0, () => run(...values))),
  setInterval: (run: Run, delayMs = 0, ...values: unknown[]) => every(run, Number(delayMs) || 0, values),
  setImmediate: (run: Run, ...values: unknown[]) => new Handle(time.immediate(() => run(...values))),
  clearTimeout: cancel,
  clearInterval: cancel,
  clearImmediate: cancel,
});

/** Functions that would wait for the event loop, a thread or another process: a run that calls one ends with its name. */
function real(name: string): () => never {
  return () => {
    throw new Error(`A simulation reaches no ${name}`);
  };
}
Object.assign(globalThis, { fetch: real("network (fetch)") });
Object.assign(Bun, { spawn: real("process"), sleep: real("timer of Bun"), serve: real("listener") });
Object.assign(Bun.password, { hash: real("thread of Bun.password"), verify: real("thread of Bun.password") });

performance.now = () => time.monotonic;
Math.random = () => stray.chance.fraction();
crypto.randomUUID = () => stray.chance.uuid();
// The service's schedules use local time.
process.env.TZ = "UTC";
