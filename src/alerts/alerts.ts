/** Watches the conditions, notifies operators of active and resolved alerts, and keeps its state across restarts. */
import type { WatchedFacts } from "../conditions/condition.ts";
import { MetricSamples, type Sample, watchedCounters, watchedGauges } from "../conditions/metric-samples.ts";
import type { AlertChannelName } from "../domain/alert-channel.ts";
import type { NoticeFailure } from "../domain/notice-failure.ts";
import { type Background, background } from "../platform/background.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { Store } from "../store/store.ts";
import { type Alert, AlertBook, type Due } from "./alert-book.ts";
import type { AlertCondition, AlertFinding } from "./alert-conditions.ts";
import type { AlertChannel } from "./channel.ts";
import { alertsOf } from "./notice.ts";
import { NoticeQueue, type QueuedNotice } from "./notice-queue.ts";
import { isSameSilence, type Silence, type SilencedAlert, withoutSilenced } from "./silence.ts";

export interface AlertsDeps {
  store: Store;
  clock: Clock;
  random: Pick<Random, "uuid">;
  log: Logger;
  conditions: readonly AlertCondition[];
  channels(): readonly AlertChannel[];
  /** The current facts that conditions are judged by. */
  facts(): Omit<WatchedFacts, "samples">;
  /** The values of metrics by name, as in a scrape. */
  readMetrics(names: readonly string[]): Promise<ReadonlyMap<string, readonly Sample[]>>;
}

/** The stored state. */
interface AlertState {
  alerts: Alert[];
  /** Oldest first. */
  notices: readonly QueuedNotice[];
  /** Epoch milliseconds. */
  lastNoticeAt: number;
  /** Absent in a state stored by an older version. */
  silences?: readonly Silence[];
}

/** The outcome of a test; `failure` is null if it arrived. */
export interface ChannelTest {
  channel: AlertChannelName;
  failure: string | null;
  failureReason: NoticeFailure | null;
}

const lookEveryMs = 30_000;
/** Alerts within this time are combined into one notice, except the first of each kind that needs somebody at once. */
const noticeEveryMs = 5 * 60_000;
const stopMsMax = 2_000;
const watchedMetrics = [...watchedCounters, ...watchedGauges];

export class Alerts {
  readonly #book: AlertBook;
  readonly #queue: NoticeQueue;
  readonly #samples = new MetricSamples();
  /** Findings of conditions that are not checked every time; `at`: monotonic. */
  readonly #found = new Map<string, { at: number; findings: readonly AlertFinding[] }>();
  readonly #background: Background;
  #lastNoticeAt: number;
  #silences: readonly Silence[];
  /** As stored on disk. */
  #stored: string;
  #timer: Timer | null = null;
  /** Nothing more is stored. */
  #hasStopped = false;

  constructor(private readonly deps: AlertsDeps) {
    this.#background = background(deps.log);
    this.#stored = deps.store.tables.alertState.read() ?? "";
    const empty: AlertState = { alerts: [], notices: [], lastNoticeAt: 0 };
    const {
      alerts,
      notices,
      lastNoticeAt,
      silences = [],
    }: AlertState = this.#stored === "" ? empty : JSON.parse(this.#stored);
    const known = new Set(deps.conditions.map(({ name }) => name));
    this.#book = new AlertBook(
      alerts.filter(({ condition }) => known.has(condition)),
      deps.clock.now(),
    );
    this.#queue = new NoticeQueue(notices);
    this.#lastNoticeAt = lastNoticeAt;
    this.#silences = silences;
  }

  start(): void {
    this.#timer = this.deps.clock.after(lookEveryMs, () => {
      this.#background.run("watch for alerts", async () => {
        try {
          await this.#judge();
        } finally {
          if (this.#timer !== null) this.start();
        }
        // The next check does not wait: a mail server may take minutes.
        this.#background.run("send notices of alerts", () => this.#deliver());
      });
    });
  }

  /** Waits a while for notices in progress; those cut off are sent again after the next start. */
  async stop(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    const settled = this.#background.settled();
    await new Promise<void>((resolve) => {
      const deadline = this.deps.clock.after(stopMsMax, resolve);
      void settled.then(() => {
        deadline.cancel();
        resolve();
      });
    });
    this.#hasStopped = true;
  }

  /** Oldest first. */
  all = (): Alert[] => this.#book.all();
  firing = (): Alert[] => this.#book.firing();
  /** Newest first. */
  notices = (): readonly QueuedNotice[] => this.#queue.all();
  channels = (): AlertChannelName[] => this.deps.channels().map(({ name }) => name);

  /** Those in force. */
  silences(): readonly Silence[] {
    const now = this.deps.clock.now();
    return this.#silences.filter(({ until }) => until > now);
  }

  /** Nobody is notified that it began or continues until then; replaces an earlier silence of the same. */
  async silence(silence: Silence): Promise<void> {
    this.#silences = [...this.silences().filter((one) => !isSameSilence(one, silence)), silence];
    await this.#save();
  }

  /** Returns false if there is none. */
  async endSilence(of: SilencedAlert): Promise<boolean> {
    const before = this.silences();
    this.#silences = before.filter((one) => !isSameSilence(one, of));
    await this.#save();
    return this.#silences.length < before.length;
  }

  /** Checks every condition, and sends what is due. */
  async look(): Promise<void> {
    await this.#judge();
    await this.#deliver();
  }

  async #judge(): Promise<void> {
    const { clock, readMetrics } = this.deps;
    this.#samples.add(clock.monotonic(), await readMetrics(watchedMetrics));
    for (const condition of this.deps.conditions) {
      const findings = await this.#find(condition);
      if (findings !== null) this.#book.update(condition, findings, clock.now());
    }
    this.#tell(clock.now());
    await this.#save();
  }

  /** Sends a test at once through one channel, or through all. */
  async test(name: AlertChannelName | null): Promise<ChannelTest[]> {
    const { clock, random, channels } = this.deps;
    const due: Due = { fired: [], again: [], resolved: [] };
    const notice = { ...due, id: random.uuid(), at: clock.now(), isTest: true };
    const queue = new NoticeQueue([]);
    const chosen = channels().filter((channel) => name === null || channel.name === name);
    queue.add(notice, chosen);
    const sent = await queue.deliver(chosen, clock.now(), this.#failingRoutes());
    return sent.map(({ channel, failure, failureReason = null }) => ({ channel, failure, failureReason }));
  }

  /** Null if it could not be checked; then nothing changes. */
  async #find(condition: AlertCondition): Promise<readonly AlertFinding[] | null> {
    const { clock, facts } = this.deps;
    const { name, everyMs } = condition;
    const last = this.#found.get(name);
    if (last !== undefined && clock.monotonic() - last.at < everyMs) return last.findings;
    try {
      const findings = await condition.find({ ...facts(), samples: this.#samples });
      if (everyMs > 0) this.#found.set(name, { at: clock.monotonic(), findings });
      return findings;
    } catch (reason) {
      this.deps.log.error({ err: reason, condition: condition.name }, "a condition could not be judged");
      return null;
    }
  }

  #tell(now: number): void {
    const { log, random, channels } = this.deps;
    const due = withoutSilenced(this.#book.due(now), this.silences());
    if (!this.#isTimeFor(due, now)) return;
    for (const { condition, subject, words } of due.fired) log.warn({ condition, subject }, `alert: ${words}`);
    for (const { condition, subject, words } of due.resolved) log.info({ condition, subject }, `over: ${words}`);
    this.#queue.add({ ...due, id: random.uuid(), at: now, isTest: false }, channels());
    this.#book.told(due, now);
    this.#lastNoticeAt = now;
  }

  /** An urgent alert waits only for others of its own kind, so that a storm becomes few notices. */
  #isTimeFor(due: Due, now: number): boolean {
    if (alertsOf(due).length === 0) return false;
    // After a clock was set back, a time in the future is no reason to wait.
    const isRecent = (at: number | null) => at !== null && at <= now && now - at < noticeEveryMs;
    if (!isRecent(this.#lastNoticeAt)) return true;
    const told = this.all().filter(({ toldAt }) => isRecent(toldAt));
    const conditions = new Set(told.map(({ condition }) => condition));
    return due.fired.some(({ severity, condition }) => severity === "page" && !conditions.has(condition));
  }

  async #deliver(): Promise<void> {
    const { clock, channels, log } = this.deps;
    const attempted = await this.#queue.deliver(channels(), clock.now(), this.#failingRoutes());
    for (const { channel, failure } of attempted) {
      if (failure !== null) log.warn({ channel, detail: failure }, "an alert was not delivered");
    }
    await this.#save();
  }

  #failingRoutes(): ReadonlySet<string> {
    const ofRoutes = this.deps.conditions.filter(({ isOfRoute }) => isOfRoute).map(({ name }) => name);
    const failing = this.firing().filter(({ condition }) => ofRoutes.includes(condition));
    return new Set(failing.map(({ subject }) => subject));
  }

  /** Alerts continue when the store cannot write: that may be what they are about. */
  async #save(): Promise<void> {
    const { store, log } = this.deps;
    const notices = this.#queue.all().toReversed();
    const silences = this.silences();
    const state: AlertState = { alerts: this.all(), notices, lastNoticeAt: this.#lastNoticeAt, silences };
    const text = JSON.stringify(state);
    if (text === this.#stored || this.#hasStopped) return;
    try {
      await store.write(({ alertState }) => alertState.write(text));
      this.#stored = text;
    } catch (reason) {
      log.error({ err: reason }, "the state of the alerts was not stored");
    }
  }
}
