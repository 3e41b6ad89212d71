/** Adds and removes lines, and gives an account the messages that arrived before its line was added. */
import type { ErrorDetail } from "../domain/error-detail.ts";
import { accountIdText } from "../domain/id-text.ts";
import type { ListRange, PartOfList } from "../domain/list-part.ts";
import { normaliseAddress } from "../domain/phone-number.ts";
import type { Logger } from "../platform/log.ts";
import type { LineRow } from "../store/lines.ts";
import type { Store, Tables } from "../store/store.ts";

/** Why a line cannot be added or removed. */
export class LineRefused extends Error {
  override readonly name = "LineRefused";
  constructor(
    readonly code: "line_invalid" | "line_exists" | "line_not_found" | "account_not_found",
    readonly detail: ErrorDetail | null = null,
  ) {
    super(code);
  }
}

export interface LineServiceDeps {
  store: Store;
  clock: { now(): number };
  log: Logger;
  region: string;
}

/** Messages per transaction: a few milliseconds, including their events. */
const sliceRows = 100;

const numberPattern = /^\+?[0-9]{2,20}$/;

export class LineService {
  readonly #deps: LineServiceDeps;
  /** The last run for each line; the line's next run starts after it. */
  readonly #running = new Map<string, Promise<number>>();

  constructor(deps: LineServiceDeps) {
    this.#deps = deps;
  }

  /** From now on the line's messages belong to the account, including earlier ones. Throws LineRefused. */
  async add(accountId: number, number: string): Promise<{ line: LineRow; madeAvailable: number }> {
    const row = { number: this.#numberOf(number), accountId, createdAt: this.#deps.clock.now(), credentialId: null };
    const line = await this.#deps.store.write((tables) => insertLine(tables, row));
    return { line, madeAvailable: await this.#adopt(line.number) };
  }

  all(): LineRow[] {
    return this.#deps.store.tables.lines.all();
  }

  part(range: ListRange, accountId?: number): Promise<PartOfList<LineRow>> {
    return this.#deps.store.tables.lines.part(range, accountId);
  }

  /** Sets the credential that gets what the line receives; null for none. Throws LineRefused. */
  async give(number: string, credentialId: number | null): Promise<LineRow> {
    await this.#deps.store.write((tables) => tables.lines.setCredential(number, credentialId));
    return this.show(number);
  }

  /** Throws LineRefused. */
  show(number: string): LineRow {
    const line = this.#deps.store.tables.lines.byNumber(normaliseAddress(number, this.#deps.region));
    if (line === null)
      throw new LineRefused("line_not_found", { code: "no_name", values: { subject: "line", name: number } });
    return line;
  }

  /** Messages that arrive from now on belong to nobody; the account keeps those it has. Throws LineRefused. */
  async remove(number: string): Promise<LineRow> {
    const removed = await this.#deps.store.write((tables) => tables.lines.remove(this.#numberOf(number)));
    if (removed === null)
      throw new LineRefused("line_not_found", { code: "no_name", values: { subject: "line", name: number } });
    return removed;
  }

  /**
   * Makes the waiting messages of a line available. Failures are logged; the line's next message, or the next start,
   * tries again.
   */
  wake(number: string): void {
    this.#adopt(number).catch((reason: unknown) => {
      this.#deps.log.error({ err: reason, line: number }, "inbound messages could not be made available; they wait");
    });
  }

  /** Resumes what a stop or a crash interrupted; returns at once. */
  start(): void {
    for (const number of this.#deps.store.tables.inbound.backlogs()) this.wake(number);
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Makes this line's waiting messages available, oldest first; resolves with their number. */
  #adopt(number: string): Promise<number> {
    const before = this.#running.get(number)?.catch(() => 0) ?? Promise.resolve(0);
    const run = before
      .then(() => this.#untilDone(number))
      .finally(() => {
        if (this.#running.get(number) === run) this.#running.delete(number);
      });
    this.#running.set(number, run);
    return run;
  }

  async #untilDone(number: string): Promise<number> {
    const { store, clock } = this.#deps;
    let made = 0;
    for (;;) {
      const slice = await store.write((tables) => makeSliceAvailable(tables, number, clock.now()));
      made += slice;
      // A message that arrives while others are ahead of it also waits here: only an empty slice is the end.
      if (slice === 0) return made;
    }
  }

  #numberOf(text: string): string {
    const number = normaliseAddress(text, this.#deps.region);
    if (numberPattern.test(number)) return number;
    throw new LineRefused("line_invalid");
  }
}

function makeSliceAvailable(tables: Tables, number: string, now: number): number {
  const line = tables.lines.byNumber(number);
  if (line === null) return 0;
  const ids = tables.inbound.unmapped(number, sliceRows);
  for (const id of ids) tables.inbound.makeAvailable(id, line.accountId, now);
  return ids.length;
}

function insertLine(tables: Tables, row: LineRow): LineRow {
  if (tables.accounts.byId(row.accountId) === null) {
    throw new LineRefused("account_not_found");
  }
  const before = tables.lines.byNumber(row.number);
  if (before !== null) {
    throw new LineRefused("line_exists", {
      code: "line_of",
      values: { number: row.number, account: accountIdText(before.accountId) },
    });
  }
  tables.lines.insert(row);
  return row;
}
