/** Lines as the operator keeps them, and the messages that were there before their line was. */
import { normaliseAddress } from "../domain/phone-number.ts";
import type { Logger } from "../platform/log.ts";
import type { LineRow } from "../store/lines.ts";
import type { Store, Tables } from "../store/store.ts";

/** Why a line cannot be added or removed. */
export class LineRefused extends Error {
  override readonly name = "LineRefused";
  constructor(
    readonly code: "line_invalid" | "line_exists" | "line_not_found" | "account_not_found",
    message: string,
  ) {
    super(message);
  }
}

export interface LineServiceDeps {
  store: Store;
  clock: { now(): number };
  log: Logger;
  region: string;
}

/** Messages in one transaction: a few milliseconds, their events included. */
const sliceRows = 100;

const dialled = /^\+?[0-9]{2,20}$/;

export type LineService = ReturnType<typeof lineService>;

export function lineService({ store, clock, log, region }: LineServiceDeps) {
  /** The last run for a line; the next one begins after it. */
  const running = new Map<string, Promise<number>>();

  function makeSlice(tables: Tables, number: string): number {
    const line = tables.lines.byNumber(number);
    if (line === null) return 0;
    const ids = tables.inbound.unmapped(number, sliceRows);
    for (const id of ids) tables.inbound.makeAvailable(id, line.accountId, clock.now());
    return ids.length;
  }

  async function untilDry(number: string): Promise<number> {
    let made = 0;
    for (let more = true; more; ) {
      const slice = await store.write((tables) => makeSlice(tables, number));
      made += slice;
      // What comes in while others are ahead of it waits here, too: only an empty slice is the end.
      more = slice > 0;
    }
    return made;
  }

  /** Makes available what waits for this line, oldest first; resolves with how many messages that were. */
  function adopt(number: string): Promise<number> {
    const before = running.get(number)?.catch(() => 0) ?? Promise.resolve(0);
    const run = before
      .then(() => untilDry(number))
      .finally(() => {
        if (running.get(number) === run) running.delete(number);
      });
    running.set(number, run);
    return run;
  }

  function numberOf(text: string): string {
    const number = normaliseAddress(text, region);
    if (dialled.test(number)) return number;
    throw new LineRefused("line_invalid", `"${text}" is no number that messages can be sent to.`);
  }

  function added(tables: Tables, row: LineRow): LineRow {
    if (tables.accounts.byId(row.accountId) === null)
      throw new LineRefused("account_not_found", "There is no such account.");
    const before = tables.lines.byNumber(row.number);
    if (before !== null)
      throw new LineRefused(
        "line_exists",
        `The line ${row.number} belongs to account acc_${before.accountId} already.`,
      );
    tables.lines.insert(row);
    return row;
  }

  /** For messages that wait. A failure is logged: the next message of the line tries again, and so does the next start. */
  function wake(number: string): void {
    adopt(number).catch((reason: unknown) => {
      log.error({ err: reason, line: number }, "inbound messages could not be made available; they wait");
    });
  }

  return {
    /** From now on its messages are the account's, also those that came before. Throws LineRefused. */
    async add(accountId: number, number: string): Promise<{ line: LineRow; madeAvailable: number }> {
      const row = { number: numberOf(number), accountId, createdAt: clock.now() };
      const line = await store.write((tables) => added(tables, row));
      return { line, madeAvailable: await adopt(line.number) };
    },

    all: (): LineRow[] => store.tables.lines.all(),

    /** What comes from now on belongs to nobody; what the account has it keeps. Throws LineRefused. */
    async remove(number: string): Promise<LineRow> {
      const removed = await store.write((tables) => tables.lines.remove(numberOf(number)));
      if (removed === null) throw new LineRefused("line_not_found", `There is no line ${number}.`);
      return removed;
    },

    wake,

    /** Goes on where a stop or a crash has interrupted; returns at once. */
    start(): void {
      for (const number of store.tables.inbound.backlogs()) wake(number);
    },

    settled: async (): Promise<void> => void (await Promise.allSettled(running.values())),
  };
}
