/** The service of a proof: a process of its own on a folder of its own, which ends when the proof says so, or when it falls. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { settingEntries } from "../../config/entries.ts";
import { at, type Settings } from "../../config/settings.ts";
import type { OperatorClient } from "../../operator/client.ts";
import { operatorClient } from "../client.ts";
import { CommandFailed } from "../errors.ts";
import { isInTransit } from "./checker.ts";

export type Environment = Readonly<Record<string, string>>;
type Child = Subprocess<"ignore", "pipe", "ignore">;

/** Carriers, webhooks, alerts, listeners, copies and the cluster of the installation take no part in a proof. */
const takenOver: readonly unknown[] = ["http", "idempotency", "messages", "events", "audit", "otp", "groups"];
const startMsMax = 60_000;
const endMsMax = 120_000;

const isBinary = import.meta.dir.startsWith("/$bunfs");
// Bun looks for the settings of sources in its working directory.
const cwd = isBinary ? "/" : join(import.meta.dir, "..", "..", "..");
const ownCommand = isBinary ? [process.execPath] : [process.execPath, join(cwd, "src", "main.ts")];

/** The settings that bear on what is proved, and nothing else of the environment. */
export function environmentOf(settings: Settings): Environment {
  const { PATH = "", TZ = "UTC" } = process.env;
  const env: Record<string, string> = { PATH, TZ, LANG: "C.UTF-8" };
  for (const { path, environment, setting } of settingEntries) {
    const value = at(settings, path);
    const isUsual = value === null || JSON.stringify(value) === JSON.stringify(setting.default);
    if (takenOver.includes(path[0]) && !isUsual) env[environment] = String(value);
  }
  return env;
}

export const databaseIn = (folder: string): string => join(folder, "peyk.db");

/** Resolves once nothing waits to be sent, or after two minutes: the checker tells what still waits. */
export async function whenAllEnded({ folder }: ScratchService): Promise<void> {
  const deadline = performance.now() + endMsMax;
  while (isInTransit(databaseIn(folder)) && performance.now() < deadline) await Bun.sleep(200);
}

export class ScratchService {
  readonly folder: string;
  readonly #env: Environment;
  #process: Child | null = null;
  /** Of the public API; null while it does not serve. */
  url: string | null = null;

  constructor(folder: string, env: Environment) {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    this.folder = folder;
    this.#env = { ...env, PEYK_DATA_DIR: folder, PEYK_CONFIG: join(folder, "no-settings.toml") };
    writeFileSync(join(folder, "no-settings.toml"), "", { mode: 0o600 });
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  get api(): OperatorClient {
    return operatorClient({ path: join(this.folder, "peyk.sock"), dataDir: this.folder, user: "prove" });
  }

  /** Resolves once it serves. @throws CommandFailed */
  async start(): Promise<void> {
    const serve = [...ownCommand, "serve", "--listen", "127.0.0.1:0", "--console-listen", "127.0.0.1:0"];
    // A limit on the size of files must fail the write, as a full disk does, and not end the process.
    const child = Bun.spawn(["sh", "-c", 'trap "" XFSZ; exec "$@"', "peyk", ...serve], {
      env: this.#env,
      cwd,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    this.#process = child;
    const serves = Promise.withResolvers<void>();
    void this.#follow(child, serves.resolve).finally(serves.resolve);
    await Promise.race([serves.promise, Bun.sleep(startMsMax)]);
    if (this.url === null) throw new CommandFailed("not_started", `No service starts in ${this.folder}.`);
  }

  async #follow(child: Child, served: () => void): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of child.stdout) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      const line = lines.find((one) => one.includes('"peyk serves"'));
      if (line === undefined) continue;
      const { url }: { url: string } = JSON.parse(line);
      this.url = url;
      served();
    }
    if (this.#process === child) this.url = null;
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    this.#process?.kill(signal);
    await this.#process?.exited;
    this.url = null;
  }

  /** A command of Peyk on this folder. @throws CommandFailed */
  async command(...words: readonly string[]): Promise<void> {
    const child = Bun.spawn([...ownCommand, ...words], { env: this.#env, cwd, stdin: "ignore", stderr: "pipe" });
    const said = await new Response(child.stderr).text();
    if ((await child.exited) !== 0) throw new CommandFailed("not_done", `peyk ${words.join(" ")}: ${said}`);
  }
}
