/**
 * Customers built on third-party SMPP libraries: programs that bind, submit until they are answered, and report what
 * they receive.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildForeignSmscs, missingTools } from "./foreign-smsc.ts";
import { programAt } from "./programs.ts";

const sources = join(import.meta.dir, "..", "peers");

export interface EsmeProgram {
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** What identifies a repeated submit. */
  repeats: 0x1500 | "reference" | "off";
}

interface EsmeKind {
  /** Empty if it can be built. */
  missing: readonly string[];
  make(): Promise<EsmeProgram>;
}

let java: Awaited<ReturnType<typeof buildForeignSmscs>> | null = null;
const folders: string[] = [];

export function removeEsmes(): void {
  java?.remove();
  for (const folder of folders) rmSync(folder, { recursive: true });
}

function folderOf(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `peyk-${name}-`));
  folders.push(folder);
  return folder;
}

async function done(command: readonly string[], cwd: string): Promise<void> {
  const child = Bun.spawn([...command], { cwd, stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed:\n${said}`);
}

async function ofJava(mainClass: string): Promise<EsmeProgram> {
  java ??= await buildForeignSmscs();
  const { folder } = java;
  return { command: ["java", "-Xmx128m", "-cp", `${folder}/jars/*:${folder}/classes`, mainClass], repeats: 0x1500 };
}

async function ofPython(library: string, program: string): Promise<EsmeProgram> {
  const folder = folderOf("python");
  await done(["python3", "-m", "pip", "install", "-q", "--target", folder, library], folder);
  return { command: ["python3", join(sources, program)], env: { PYTHONPATH: folder }, repeats: "off" };
}

async function ofGo(): Promise<EsmeProgram> {
  const program = join(folderOf("gosmpp"), "esme");
  await done(["go", "build", "-o", program, "."], join(sources, "gosmpp"));
  return { command: [program], repeats: 0x1500 };
}

/** Kept for the next run: the libraries take more than a minute of processor time. */
const rustFolder = join(import.meta.dir, "..", "..", "node_modules", ".cache", "peyk-rusmpp");

/** Its submits do not support vendor TLVs: user_message_reference identifies a repeat. */
async function ofRust(): Promise<EsmeProgram> {
  await done(["cargo", "build", "-q", "--locked", "--target-dir", rustFolder], join(sources, "rusmpp"));
  return { command: [join(rustFolder, "debug", "esme")], repeats: "reference" };
}

const without = (...names: readonly string[]) => names.filter((name) => Bun.which(name) === null);
const npm: EsmeProgram = { command: [process.execPath, join(sources, "npm_smpp_esme.ts")], repeats: 0x1500 };

const missingPython = programAt("python3") === null ? ["python3"] : [];

export const foreignEsmes: Readonly<Record<string, EsmeKind>> = {
  jsmpp: { missing: missingTools, make: () => ofJava("JsmppEsme") },
  Cloudhopper: { missing: missingTools, make: () => ofJava("CloudhopperEsme") },
  smpplib: { missing: missingPython, make: () => ofPython("smpplib==2.2.4", "smpplib_esme.py") },
  "npm smpp": { missing: [], make: () => Promise.resolve(npm) },
  gosmpp: { missing: without("go"), make: ofGo },
  rusmpp: { missing: without("cargo"), make: ofRust },
};

/** Those that tell what they say about a refused bind, in the mode `refused`. */
export const refusedEsmes: Readonly<Record<string, EsmeKind>> = {
  ...foreignEsmes,
  aiosmpplib: { missing: missingPython, make: () => ofPython("aiosmpplib==0.7.4", "aiosmpplib_esme.py") },
};

export interface EsmeLine {
  kind: "refused" | "submitted" | "receipt" | "text" | "failed" | "ended";
  [field: string]: string;
}

/** A running one. */
export class ForeignEsme {
  readonly told: EsmeLine[] = [];
  readonly #process: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #reading: Promise<void>;

  constructor({ command, env = {} }: EsmeProgram, argv: readonly string[]) {
    this.#process = Bun.spawn([...command, ...argv], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
      env: { ...process.env, ...env },
    });
    this.#reading = this.#read();
  }

  of(kind: EsmeLine["kind"]): EsmeLine[] {
    return this.told.filter((line) => line.kind === kind);
  }

  /** The line of this kind, once it has exited. */
  async toldAtEnd(kind: EsmeLine["kind"]): Promise<EsmeLine> {
    await this.#process.exited;
    await this.#reading;
    const [line] = this.of(kind);
    if (line === undefined) throw new Error(`It did not tell: ${kind}`);
    return line;
  }

  /** Unbinds and exits; one that does not is killed. */
  async end(): Promise<void> {
    this.#process.stdin.end();
    const exited = await Promise.race([this.#process.exited, Bun.sleep(5_000)]);
    if (exited === undefined) this.#process.kill("SIGKILL");
    await this.#reading;
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const octets of this.#process.stdout) {
      const lines = (rest + decoder.decode(octets, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      this.told.push(...lines.map((line): EsmeLine => JSON.parse(line)));
    }
  }
}
