/**
 * SMSCs built on third-party SMPP libraries: compiled at test time and run as processes, they report what they receive.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-ports.ts";
import { programAt } from "./programs.ts";

/** The class of the SMSC, and the library that it uses. */
export const foreignSmscs = { JsmppSmsc: "jsmpp", CloudhopperSmsc: "cloudhopper-smpp" } as const;
/** Accepts everything and stores nothing. */
type Sink = "CloudhopperSink";

const tools = ["java", "javac", "mvn"];
/** Empty if they can be built. */
export const missingTools = tools.filter((name) => programAt(name) === null);

export interface ToldLine {
  kind: "listening" | "bind" | "submit" | "query" | "delivered" | "failed";
  [field: string]: string;
}

const sources = join(import.meta.dir, "..", "peers");

async function run(folder: string, ...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed:\n${out}${err}`);
}

/** A folder with the libraries and the compiled classes. Takes a minute if Maven has to download them. */
export async function buildForeignSmscs(): Promise<{ folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-peers-"));
  cpSync(sources, folder, { recursive: true });
  await run(folder, "mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=jars");
  const files = readdirSync(folder).filter((name) => name.endsWith(".java"));
  await run(folder, "javac", "-cp", "jars/*", "-d", "classes", ...files);
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

export class ForeignSmsc {
  readonly told: ToldLine[] = [];
  readonly #process: Bun.Subprocess<"ignore", "pipe", "inherit">;

  private constructor(
    folder: string,
    mainClass: string,
    readonly port: number,
  ) {
    const command = ["java", "-Xmx128m", "-cp", "jars/*:classes", mainClass, String(port)];
    this.#process = Bun.spawn(command, { cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
    void this.#read();
  }

  static async start(folder: string, mainClass: keyof typeof foreignSmscs | Sink): Promise<ForeignSmsc> {
    const smsc = new ForeignSmsc(folder, mainClass, await freePort());
    await smsc.until("listening");
    return smsc;
  }

  of(kind: ToldLine["kind"]): ToldLine[] {
    return this.told.filter((line) => line.kind === kind);
  }

  /** Resolves with the first line of this kind. */
  async until(kind: ToldLine["kind"]): Promise<ToldLine> {
    const deadline = performance.now() + 30_000;
    for (;;) {
      const [line] = this.of(kind);
      if (line !== undefined) return line;
      if (performance.now() > deadline) throw new Error(`Not told: ${kind}, but ${JSON.stringify(this.told)}`);
      await Bun.sleep(10);
    }
  }

  async stop(): Promise<void> {
    this.#process.kill();
    await this.#process.exited;
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const octets of this.#process.stdout) {
      const lines = (rest + decoder.decode(octets, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      this.told.push(...lines.map((line): ToldLine => JSON.parse(line)));
    }
  }
}
