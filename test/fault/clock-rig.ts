/** Peyk with a wall clock that jumps ahead under load and comes back; in the control an operator confirms the wrong time. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { moneyIn } from "../support/money.ts";
import { type Customer, eventually, PeykProcess, rowsIn, type StartOptions } from "../support/peyk-process.ts";
import type { FaultResult } from "./thin-rig.ts";

/** Parts a day. */
const quota = 25;
const clients = 4;
const hourSeconds = 3_600;
/** To another day, month and year. */
const jumps = [24, 40 * 24, 400 * 24].map((hours) => hours * hourSeconds);

export const whyNoWallClock = (): string | null => (Bun.which("cc") === null ? "there is no C compiler" : null);

/** Each process that is started with its environment gets its own wall clock. */
export class WallClock {
  readonly folder = mkdtempSync(join(tmpdir(), "peyk-wall-clock-"));
  readonly env: Readonly<Record<string, string>>;
  readonly #file: number;

  constructor() {
    const library = join(this.folder, "wall-clock.so");
    const source = join(import.meta.dir, "wall-clock.c");
    const built = Bun.spawnSync(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], { stderr: "inherit" });
    if (!built.success) throw new Error("wall-clock.c could not be compiled");
    const path = join(this.folder, "ahead");
    this.#file = openSync(path, "w+");
    this.setAhead(0);
    this.env = { LD_PRELOAD: library, WALL_CLOCK_FILE: path };
  }

  setAhead(seconds: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(seconds));
    writeSync(this.#file, bytes, 0, bytes.length, 0);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A zone in which it is noon: no day begins while the rig runs. */
function zoneOfNoon(): string {
  const hours = 12 - new Date().getUTCHours();
  // The sign in these names is inverted.
  return hours === 0 ? "UTC" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}

/** Two customers: one with a quota, and one that is charged and sends all the time. */
class Rig {
  readonly #options: StartOptions;
  #peyk: PeykProcess | null = null;
  #keys = 0;
  #isSending = false;
  charged = 0;
  limited = 0;
  readonly customers: Customer[] = [];

  constructor(options: StartOptions) {
    this.#options = options;
  }

  get peyk(): PeykProcess {
    if (this.#peyk === null) throw new Error("It does not run");
    return this.#peyk;
  }

  async start(): Promise<void> {
    this.#peyk = await PeykProcess.start(this.#options);
  }

  async begin(): Promise<void> {
    await this.start();
    for (const sender of ["30001", "30002"]) this.customers.push(await this.peyk.customer(sender));
    await this.peyk.operate("PUT", "/quotas/acc_1", { day: quota });
    await this.peyk.operate("POST", "/prices/retail", { prefix: "*", price: "7" });
    await this.peyk.operate("PUT", "/accounts/acc_2/billing", { list: "retail", mode: "postpaid" });
  }

  /** As many as are accepted, and one more. */
  async useQuota(): Promise<void> {
    const [customer] = this.customers;
    if (customer === undefined) throw new Error("It has not begun");
    for (let status = 202; status === 202; ) {
      ({ status } = await this.peyk.send(customer));
      if (status === 202) this.limited += 1;
    }
  }

  /** Sends until `work` ends. A key is retried until it is answered, so that a kill neither loses nor doubles anything. */
  async sendingWhile(work: () => Promise<void>): Promise<void> {
    this.#isSending = true;
    const sending = Array.from({ length: clients }, async () => {
      while (this.#isSending) await this.#sendOne();
    });
    await work();
    this.#isSending = false;
    await Promise.all(sending);
  }

  async stop(): Promise<void> {
    this.#isSending = false;
    if (this.#peyk !== null && !this.#peyk.hasExited) await this.#peyk.kill();
  }

  async #sendOne(): Promise<void> {
    const [, customer] = this.customers;
    if (customer === undefined) throw new Error("It has not begun");
    this.#keys += 1;
    const key = `clock-${this.#keys}`;
    for (let isAnswered = false; !isAnswered; ) {
      try {
        const { status } = await this.peyk.send(customer, { key });
        isAnswered = status === 202 || status === 200;
      } catch {
        await Bun.sleep(20);
      }
    }
    this.charged += 1;
  }
}

/** `believes`: an operator confirms each wrong time. */
export async function clockRun(believes = false): Promise<FaultResult> {
  using clock = new WallClock();
  const folder = join(clock.folder, "data");
  const zone = zoneOfNoon();
  const month = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit" }).format();
  const rig = new Rig({ folder, env: { ...clock.env, PEYK_DEFAULT_TIME_ZONE: zone } });
  try {
    await rig.begin();
    await rig.useQuota();
    await rig.sendingWhile(async () => {
      for (const seconds of jumps) {
        await Bun.sleep(100 + Math.random() * 200);
        clock.setAhead(seconds + Math.floor(Math.random() * hourSeconds));
        if (believes) await rig.peyk.operate("POST", "/clock/confirm", {});
        await Bun.sleep(Math.random() * 200);
        if (Math.random() < 0.5) {
          await rig.peyk.kill();
          await rig.start();
        }
        await rig.useQuota();
        clock.setAhead(0);
        await rig.useQuota();
      }
    });
    return await judge(rig, folder, month);
  } finally {
    await rig.stop();
  }
}

/**
 * `lost`: messages missing from the statement of their month. `doubled`: parts beyond the quota. `wrong`: sums that do
 * not agree, and lines booked earlier than the previous one.
 */
async function judge(rig: Rig, folder: string, month: string): Promise<FaultResult> {
  const numberOf = (sql: string) => rowsIn<{ n: number }>(folder, `SELECT ${sql} AS n`)[0]?.n ?? -1;
  const open =
    "(SELECT count(*) FROM message WHERE account_id = 2 AND cost IS NULL AND state NOT IN ('failed', 'cancelled'))";
  // Messages held as expired are checked again once a minute.
  await eventually(() => numberOf(open) === 0, 100_000);
  const statement = await rig.peyk.operate("GET", `/accounts/acc_2/statement?month=${month}`);
  await rig.peyk.kill();
  const { balances, isWhole } = moneyIn(folder, 2);
  const differs = JSON.stringify(balances.last) !== JSON.stringify(balances.byMessages);
  const steps = numberOf("(SELECT count(*) FROM ledger_step)");
  const { messages, price } = chargedIn(statement);
  return {
    accepted: rig.charged + rig.limited,
    lost: rig.charged - messages,
    doubled: rig.limited - quota,
    wrong: steps + [!isWhole, differs, price !== messages * 7].filter(Boolean).length,
    refusal: null,
  };
}

function chargedIn(statement: Record<string, unknown>): { messages: number; price: number } {
  const { charged } = statement;
  if (typeof charged !== "object" || charged === null) throw new Error("A statement tells what was charged");
  return { messages: Number(Reflect.get(charged, "messages")), price: Number(Reflect.get(charged, "price")) };
}
