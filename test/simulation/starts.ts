/**
 * Starts that die: on an empty folder, and on those of earlier releases, at any change of the disk, also by a power
 * cut, until one succeeds. Afterwards acknowledged messages must exist, and requests must be answered as before.
 */
import "./virtual-time.ts";
import { Database } from "bun:sqlite";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { Chance } from "./chance.ts";
import { type Cut, disk, runsFolder } from "./disk.ts";
import { judgeWhole } from "./end.ts";
import { Journal } from "./journal.ts";
import { connectionOf } from "./network.ts";
import { Service } from "./service.ts";
import { settled } from "./settled.ts";
import { realNow, stray, time } from "./virtual-time.ts";
import type { RunResult } from "./world.ts";

const origins = ["empty", "553085a", "04fa596"] as const;
type Origin = (typeof origins)[number];

/** A request that an earlier release acknowledged. */
interface SentBefore {
  path: string;
  idempotencyKey: string;
  body: unknown;
  answer: { trackingCode?: string } | { trackingCode?: string }[];
}

interface LeftData {
  secretKey: string;
  apiKey: string;
  sent: SentBefore[];
}

const fixtures = join(import.meta.dir, "..", "fixtures");
const attemptsMax = 15;
/** An upgrade changes the disk several hundred times. */
const changesMax = 200;
const startMs = 60_000;
/** After what the earlier releases wrote. */
const startsAt = Date.UTC(2026, 10, 23);
const base = "http://127.0.0.1:28000";

function layOut(origin: Origin, folder: string): LeftData | null {
  mkdirSync(folder, { mode: 0o700 });
  if (origin === "empty") return null;
  const read = (ending: string) =>
    readFileSync(join(fixtures, `data-of-${origin}.${ending}`), "utf8").replaceAll("FILES", folder);
  const left: LeftData = JSON.parse(read("json"));
  const database = new Database(join(folder, "peyk.db"), { create: true });
  database.run(read("sql"));
  database.close();
  writeFileSync(join(folder, "secret.key"), left.secretKey, { mode: 0o600 });
  return left;
}

class StartRun {
  readonly #seed: number;
  readonly #chance: Chance;
  readonly #root = mkdtempSync(join(runsFolder, "peyk-starts-"));
  readonly journal: Journal;
  #generation = 0;
  crashes = 0;
  cuts = 0;
  lostWrites = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#chance = new Chance(seed, "starts");
    this.journal = new Journal({ isChecked: () => true, isTold: false });
  }

  get #folder(): string {
    return join(this.#root, String(this.#generation));
  }

  run(): void {
    const origin = this.#chance.oneOf(origins);
    this.journal.tell("origin", origin);
    const left = layOut(origin, this.#folder);
    time.reset();
    time.wall = startsAt;
    disk.begin(this.#seed);
    stray.chance = new Chance(this.#seed, "stray");
    let service: Service | null = null;
    for (let attempt = 0; service === null && this.journal.violations.length === 0; attempt += 1) {
      disk.crashIn(attempt < attemptsMax ? this.#chance.between(1, changesMax) : null);
      service = this.#start();
    }
    disk.crashIn(null);
    // Once more after a cut: what the first complete start said must hold.
    this.#crash("all");
    service = this.#start();
    if (service !== null) this.#judge(service, left);
  }

  #start(): Service | null {
    const { life } = time;
    const isAlive = () => life === time.life && !disk.hasCrashed;
    const started = Service.start({
      folder: this.#folder,
      seed: this.#seed,
      generation: this.#generation,
      log: this.#logOf(isAlive),
      network: {
        dial: () => {
          const { near } = connectionOf(this.#chance, isAlive);
          time.after(1, () => near.close(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })));
          return near;
        },
        fetch: () => Promise.reject(Object.assign(new Error("refused"), { code: "ConnectionRefused" })),
      },
      callbackNetwork: {
        resolver: { resolve: async () => [] },
        transport: { post: () => Promise.reject(new Error("nobody listens")), close: () => {} },
      },
      listenForSmpp: async ({ port }) => ({ port, renew: () => {}, stop: () => {} }),
      syncFailed: () => {},
    });
    const end = settled(started, startMs, () => disk.hasCrashed);
    if (end === null) {
      this.#crash(this.#chance.happens(0.7) ? this.#chance.oneOf<Cut>(["all", "by chance", "the last"]) : null);
      return null;
    }
    if ("value" in end) {
      this.journal.tell("started", this.#generation);
      return end.value;
    }
    const { reason } = end;
    this.journal.violated("starts", reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
    return null;
  }

  /** For example a key that does not belong to the database. */
  #logOf(isAlive: () => boolean) {
    const write = (line: string) => {
      if (!isAlive()) return;
      const { msg }: { msg: string } = JSON.parse(line);
      if (/secret\.key/.test(msg)) this.journal.violated("whole", msg);
    };
    return pino({ level: "error" }, { write });
  }

  #crash(cut: Cut | null): void {
    const from = this.#folder;
    this.crashes += 1;
    if (cut !== null) this.cuts += 1;
    this.#generation += 1;
    this.journal.tell("crash", cut ?? "kill", disk.writes);
    this.lostWrites += disk.crash(from, this.#folder, cut);
    time.endLife();
    rmSync(from, { recursive: true, force: true });
  }

  #judge(service: Service, left: LeftData | null): void {
    for (const { path, idempotencyKey, body, answer } of left?.sent ?? []) {
      const text = JSON.stringify(body);
      const headers = {
        "X-API-Key": left?.apiKey ?? "",
        "Content-Type": "application/json",
        "Content-Length": String(Buffer.byteLength(text)),
        "Idempotency-Key": idempotencyKey,
      };
      const call = service.call(new Request(`${base}${path}`, { method: "POST", headers, body: text }));
      const end = settled(call, startMs, () => disk.hasCrashed);
      if (end === null || !("value" in end)) this.journal.violated("answers", `${path}: ${JSON.stringify(end)}`);
      else this.#compare(path, answer, end.value);
    }
    judgeWhole(this.journal, this.#folder);
    const made = settled(service.perform("POST /accounts", { name: "Afterwards" }), startMs, () => disk.hasCrashed);
    if (made === null || !("value" in made)) this.journal.violated("answers", "no account can be made afterwards");
  }

  #compare(path: string, before: SentBefore["answer"], { status, body }: { status: number; body: string }): void {
    const codesOf = (answer: SentBefore["answer"]) => [answer].flat().map(({ trackingCode }) => trackingCode);
    const wanted = codesOf(before);
    const found = status === 200 ? codesOf(JSON.parse(body)) : [];
    if (wanted.join() === found.join()) return;
    this.journal.violated(
      "one request",
      `${path} was answered with ${wanted.join()}, and now ${status} ${body.slice(0, 200)}`,
    );
  }

  end(): void {
    time.endLife();
    disk.begin(0);
    rmSync(this.#root, { recursive: true, force: true });
  }
}

export function runStarts(seed: number): Omit<RunResult, "lines"> {
  const startedAt = realNow();
  const run = new StartRun(seed);
  try {
    run.run();
  } catch (reason) {
    run.journal.violated("defects", reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
  } finally {
    run.end();
  }
  const { journal, crashes, cuts, lostWrites } = run;
  const { violations, events } = journal;
  const realMs = Math.round(realNow() - startedAt);
  const virtualSeconds = Math.round(time.monotonic / 1_000);
  return {
    seed,
    hash: journal.hash(),
    violations,
    events,
    crashes,
    cuts,
    lostWrites,
    submits: 0,
    repeats: 0,
    virtualSeconds,
    realMs,
  };
}
