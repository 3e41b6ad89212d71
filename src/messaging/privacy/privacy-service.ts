/** Operator actions for a recipient's request: exports all that is known of a number, and erases it. */
import { statSync } from "node:fs";
import { invalidRequest, OperatorError } from "../../domain/operator-error.ts";
import { problemOf } from "../../domain/operator-problem.ts";
import { parseMobileNumber, type RecipientNumbers } from "../../domain/phone-number.ts";
import type { KeyedHash } from "../../platform/keyed-hash.ts";
import type { Logger } from "../../platform/log.ts";
import { nextTurn, shortPause } from "../../platform/next-turn.ts";
import type { Store } from "../../store/store.ts";
import type { ErasureList } from "./erasure-list.ts";
import { type ErasureReport, type ErasureTarget, RecipientEraser } from "./recipient-eraser.ts";
import { type RecipientRecord, recordOf } from "./recipient-record.ts";

export interface PrivacyDeps {
  store: Store;
  clock: { now(): number };
  log: Logger;
  hash: KeyedHash;
  list: ErasureList;
  defaultRegion: string;
  numbers: RecipientNumbers;
  isListRead(listId: number): boolean;
  /** Phones simulated by routes: what they received is only in memory. */
  phones: { emptyPhone(e164: string): void };
}

export interface Erasure extends ErasureReport {
  /** Represents the number in the audit: the first digits of its keyed hash. */
  recipient: string;
  /** The free space of the database file was overwritten. Otherwise it may contain copies of erased data. */
  isRewritten: boolean;
  /** False while a search or a copy reads the log: a later checkpoint removes erased data from it. */
  logEmptied: boolean;
}

/**
 * Up to this size a requested rewrite is done: it takes about ten seconds, and the watchdog waits for half a minute.
 */
const rewriteBytesMax = 1024 * 1024 * 1024;

/** Enough to tell recipients apart in the audit. */
const shownDigits = 12;
/**
 * A read transaction of the reader thread takes some milliseconds, a copy of a large database minutes; the copy is not
 * waited for.
 */
const triesMax = 500;

export class PrivacyService {
  readonly #eraser: RecipientEraser;
  #isErasing = false;

  constructor(private readonly deps: PrivacyDeps) {
    this.#eraser = new RecipientEraser(deps);
    deps.store.tables.suppression.setHash((e164) => deps.hash.hash(e164));
  }

  /** Everything the database holds about the number. Throws OperatorError. */
  export(mobile: string): Promise<RecipientRecord> {
    return recordOf(this.deps.store, this.#numberOf(mobile));
  }

  /**
   * Erases everything the database holds about the number, and stores its hash for copies restored later. Throws
   * OperatorError.
   */
  async erase(mobile: string, isRewriteAsked = false): Promise<Erasure> {
    const { clock, list, hash } = this.deps;
    const number = this.#numberOf(mobile);
    const digest = hash.hash(number);
    // First: if a crash interrupts the erasure, the next start completes it.
    list.add(digest.toString("hex"), clock.now());
    const report = await this.#run({ matches: (e164) => e164 === number, numbers: [number], isIdle: false });
    this.deps.phones.emptyPhone(number);
    if (report.busy === 0) await this.#record([digest]);
    const isRewritten = isRewriteAsked && this.#rewrite() ? true : await this.#wipeFreeSpace();
    const logEmptied = await this.#emptyLog();
    return { recipient: digest.toString("hex").slice(0, shownDigits), ...report, isRewritten, logEmptied };
  }

  /** Repeats erasures that a restored copy or a crash undid or interrupted. Runs before anything is sent. */
  async resume(): Promise<void> {
    const { store, log, list, hash } = this.deps;
    const missing = list.all().filter((one) => !store.tables.recipientData.isRecorded(Buffer.from(one, "hex")));
    if (missing.length === 0) return;
    log.warn({ recipients: missing.length }, "recipients that were erased are erased again; this may take a minute");
    const wanted = new Set(missing);
    const report = await this.#run({
      matches: (e164) => wanted.has(hash.hash(e164).toString("hex")),
      numbers: [],
      isIdle: true,
    });
    if (report.busy === 0) await this.#record(missing.map((one) => Buffer.from(one, "hex")));
    if (!(await this.#wipeFreeSpace())) {
      log.warn("the free space of the database could not be overwritten: it may hold copies of what was erased");
    }
    await this.#emptyLog();
  }

  /** False if the file is too large, or if other nodes would receive all of it. */
  #rewrite(): boolean {
    const { store } = this.deps;
    if (store.isReplicated || statSync(store.path).size > rewriteBytesMax) return false;
    store.rewrite();
    return true;
  }

  /** Slice by slice, while the service runs. False if the log was being read all the time. */
  async #wipeFreeSpace(): Promise<boolean> {
    const { store } = this.deps;
    let page: number | null = 1;
    for (let tries = 0; page !== null && tries < triesMax; ) {
      await store.drain();
      const next: ReturnType<Store["wipeFreeSpace"]> = store.wipeFreeSpace(page);
      if (next === "unknown") return this.#rewrite();
      if (next === "busy") {
        tries += 1;
        await shortPause();
      } else {
        page = next;
        await nextTurn();
      }
    }
    return page === null;
  }

  async #run(target: ErasureTarget): Promise<ErasureReport> {
    if (this.#isErasing) throw new OperatorError("erasure_running");
    this.#isErasing = true;
    try {
      return await this.#eraser.erase(target);
    } finally {
      this.#isErasing = false;
    }
  }

  #record(hashes: readonly Uint8Array[]): Promise<void> {
    const { store, clock } = this.deps;
    return store.write(({ recipientData }) => {
      for (const hash of hashes) recipientData.record(hash, clock.now());
    });
  }

  async #emptyLog(): Promise<boolean> {
    for (let tries = 0; tries < triesMax; tries += 1) {
      await this.deps.store.drain();
      if (this.deps.store.emptyLog()) return true;
      await shortPause();
    }
    return false;
  }

  #numberOf(mobile: string): string {
    const { defaultRegion, numbers } = this.deps;
    const number = parseMobileNumber(mobile, defaultRegion, numbers);
    if (number === null) throw invalidRequest([problemOf("number", "mobile_number", {})]);
    return number;
  }
}
