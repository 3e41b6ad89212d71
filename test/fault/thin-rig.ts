/** Peyk, and a careless writer as the control, on a volume that fills up, is extended, and loses its power. */
import { join } from "node:path";
import { syncPath } from "../../src/platform/durable-file.ts";
import { databaseFileName } from "../../src/store/database.ts";
import { markPathOf } from "../../src/store/log-mark.ts";
import { type Customer, NeverServed, PeykProcess, rowsIn, type StartOptions } from "../support/peyk-process.ts";
import { ThinVolume } from "./thin-volume.ts";

export interface FaultResult {
  accepted: number;
  lost: number;
  doubled: number;
  /** Stored with a different text than was sent. */
  wrong: number;
  /** The refusal of a start after the cut, because something would be lost; null if it served. */
  refusal: string | null;
}

/**
 * `log`: the first failing write is one to the log. `checkpoint`: the log has its blocks, the database file gets none.
 * `half`: the disk reports the first failing write to the log as written, since a part of it was. `growth`: likewise,
 * but the log has its blocks, and the database file gets some.
 */
export type ThinScenario = "log" | "checkpoint" | "half" | "growth";

const isHonest = (scenario: ThinScenario) => scenario === "log" || scenario === "checkpoint";

const clients = 32;
const sendsBefore: Readonly<Record<ThinScenario, number>> = { log: 200, checkpoint: 12_000, half: 200, growth: 12_000 };
/** Room left in the pool, in KiB. */
const roomLeft: Readonly<Record<ThinScenario, number>> = { log: 0, checkpoint: 0, half: 0, growth: 1_500 };
const sendsMax = 20_000;
const sendsAfter = 200;
const longText = "x".repeat(600);

/** Restarts it whenever it has ended, as systemd does, and remembers what was acknowledged. */
class SupervisedPeyk {
  readonly accepted = new Map<string, string>();
  readonly #options: StartOptions;
  #peyk: PeykProcess | null = null;
  #count = 0;
  customer: Customer | null = null;

  constructor(options: StartOptions) {
    this.#options = options;
  }

  /** Sends one message by each client in turn; true while nothing was refused. */
  async send(total: number): Promise<boolean> {
    const until = this.#count + total;
    let refused = false;
    const client = async () => {
      while (this.#count < until && !refused) {
        this.#count += 1;
        refused = !(await this.#sendOne(`thin-${this.#count}`)) || refused;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return !refused;
  }

  /** Whether it serves, after another start if necessary. */
  async serves(): Promise<boolean> {
    if (this.#peyk !== null && !this.#peyk.hasExited) return true;
    try {
      this.#peyk = await PeykProcess.start(this.#options);
      this.customer ??= await this.#peyk.customer();
      return true;
    } catch (reason) {
      if (!(reason instanceof NeverServed)) throw reason;
      this.#peyk = null;
      return false;
    }
  }

  /** Its end after a refused write, if it ends. */
  async settled(): Promise<void> {
    await Promise.race([this.#peyk?.exited, Bun.sleep(1_000)]);
  }

  async kill(): Promise<void> {
    if (this.#peyk !== null && !this.#peyk.hasExited) await this.#peyk.kill();
  }

  async #sendOne(key: string): Promise<boolean> {
    if (this.#peyk === null || this.customer === null) return false;
    try {
      const { status, body } = await this.#peyk.send(this.customer, { key, message: `${key} ${longText}` });
      if (status === 202) this.accepted.set(key, body.trackingCode ?? "");
      return status === 202;
    } catch {
      return false;
    }
  }
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 150; tries += 1) {
    if (await holds()) return;
    await Bun.sleep(200);
  }
  throw new Error(`Never: ${what}`);
}

export async function thinRun(scenario: ThinScenario, command?: readonly string[]): Promise<FaultResult> {
  using volume = new ThinVolume(isHonest(scenario));
  const folderOn = () => join(volume.path, "data");
  const start = (): StartOptions => ({ folder: folderOn(), ...(command && { command }) });
  const peyk = new SupervisedPeyk(start());
  try {
    await until(() => peyk.serves(), "it serves on a whole disk");
    await peyk.send(sendsBefore[scenario]);
    volume.fill();
    if (roomLeft[scenario] > 0) volume.mendPartly(roomLeft[scenario]);
    for (let sent = 0; sent < sendsMax && (await peyk.send(100)); sent += 100);
    await peyk.settled();
    await peyk.serves();
    await peyk.send(sendsAfter);
    volume.mend();
    await until(async () => (await peyk.serves()) && (await peyk.send(clients)), "it serves on the mended disk");
    await peyk.send(sendsAfter);
  } finally {
    await peyk.kill();
  }
  volume.cut();
  return await judge(start(), peyk);
}

async function judge(options: StartOptions, { accepted, customer }: SupervisedPeyk): Promise<FaultResult> {
  const result: FaultResult = { accepted: accepted.size, lost: 0, doubled: 0, wrong: 0, refusal: null };
  if (customer === null) throw new Error("It never served");
  try {
    const peyk = await PeykProcess.start(options);
    for (const [key, code] of accepted) {
      const { status, body } = await peyk.send(customer, { key, message: `${key} ${longText}` });
      if (status !== 200 || body.trackingCode !== code) result.lost += 1;
    }
    await peyk.kill();
  } catch (reason) {
    if (!(reason instanceof NeverServed)) throw reason;
    result.refusal = reason.message.trim();
    return result;
  }
  const texts = rowsIn<{ code: string; text: string }>(
    options.folder,
    "SELECT tracking_code AS code, text FROM message",
  );
  const byCode = Map.groupBy(texts, ({ code }) => code);
  for (const [key, code] of accepted) {
    const rows = byCode.get(code) ?? [];
    if (rows.length > 1) result.doubled += 1;
    if (rows.some(({ text }) => text !== `${key} ${longText}`)) result.wrong += 1;
  }
  const keys = rowsIn<{ n: number }>(
    options.folder,
    "SELECT count(*) AS n FROM (SELECT 1 FROM request GROUP BY api_key_id, key HAVING count(*) > 1)",
  );
  result.doubled += keys[0]?.n ?? 0;
  return result;
}

/** The power fails under load. `prefix`: put before the command, for the control whose syncs do nothing. */
export async function powerCutRun(prefix: readonly string[] = []): Promise<FaultResult> {
  using volume = new ThinVolume();
  const peyk = new SupervisedPeyk({ folder: join(volume.path, "data"), prefix });
  try {
    await until(() => peyk.serves(), "it serves");
    const load = peyk.send(sendsMax);
    const killedAt = performance.now() + 300 + Math.random() * 1_200;
    while (performance.now() < killedAt) {
      // The kernel writes the mark to the disk at its own pace; here often enough that a cut finds one.
      syncPath(markPathOf(join(volume.path, "data", databaseFileName)));
      await Bun.sleep(Math.random() * 100);
    }
    await peyk.kill();
    await load;
  } finally {
    await peyk.kill();
  }
  volume.cut();
  return await judge({ folder: join(volume.path, "data") }, peyk);
}

/** Every sync reports success and does nothing. */
export const withoutSyncs: readonly string[] = [
  ...["strace", "-f", "-qq", "-o", "/dev/null"],
  ...["-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:retval=0"],
];

/** Rows before the disk is full: for `checkpoint` more than SQLite's log holds, so that its blocks already exist. */
const rowsBefore: Readonly<Record<ThinScenario, number>> = { log: 50, checkpoint: 1_500, half: 50, growth: 1_500 };
/** None after a write that was reported as written: then the program ends with the first refusal, and has still lost earlier rows. */
const rowsAfter: Readonly<Record<ThinScenario, number>> = { log: 55, checkpoint: 55, half: 0, growth: 0 };

/** The control on the same volume: it must lose, or the rig proves nothing. */
export async function carelessRun(scenario: ThinScenario): Promise<FaultResult> {
  using volume = new ThinVolume(isHonest(scenario));
  const script = join(import.meta.dir, "careless-writer.ts");
  const file = () => join(volume.path, "careless.db");
  const writer = Bun.spawn([process.execPath, script, file()], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const stored = new Set<number>();
  const answers = linesOf(writer.stdout);
  let last = 0;
  const ask = async (): Promise<boolean> => {
    last += 1;
    writer.stdin.write(`${last}\n`);
    await writer.stdin.flush();
    const isStored = (await answers.next()).value === "stored";
    if (isStored) stored.add(last);
    return isStored;
  };
  for (let count = 0; count < rowsBefore[scenario]; count += 1) await ask();
  volume.fill();
  for (let count = 0; count < 2 * rowsBefore.checkpoint && (await ask()); count += 1);
  volume.mend();
  for (let count = 0; count < rowsAfter[scenario]; count += 1) await ask();
  writer.kill("SIGKILL");
  await writer.exited;
  volume.cut();
  const reader = Bun.spawnSync([process.execPath, script, file(), "read"]);
  const kept: number[] = reader.exitCode === 0 ? JSON.parse(reader.stdout.toString()) : [];
  const lost = [...stored].filter((id) => !kept.includes(id)).length;
  const refusal =
    reader.exitCode === 0 ? null : (/SQLITE_\w+/.exec(reader.stderr.toString())?.[0] ?? "it cannot be read");
  return { accepted: stored.size, lost, doubled: 0, wrong: 0, refusal };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}
