/** `peyk prove`: on this machine and its disk, with its settings, whether what the service acknowledges is kept. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { freeBytes } from "../platform/disk-space.ts";
import { hasVolatileCache } from "../platform/volume-kind.ts";
import { settingsFrom } from "./config.ts";
import { machineFindings } from "./doctor-machine.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { becomeOwnerOf } from "./owner.ts";
import type { Proof } from "./prove/proof.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";
import { formatFields, joinLines } from "./text.ts";
import { type CommonOptions, dataDirOf, print, verb } from "./verb.ts";

const [minutesMin, minutesMax] = [2, 60];
const mb = 1_000_000;
/** What the proof may write, and what must stay free for the service beside it. */
const [bytesPerMinute, bytesKept] = [60 * mb, 1_000 * mb];

type ProveOptions = CommonOptions & { config?: string | undefined };

export function proveCommand(io: CliIo) {
  return verb("prove", {
    does: "prove on this machine and its disk that what is acknowledged is kept: kills, a full disk, a restore, a take-over",
    examples: ["peyk prove", "peyk prove --minutes 30 --json"],
  })
    .option("--config <file>", "settings file (PEYK_CONFIG, <data-dir>/peyk.toml, /etc/peyk/peyk.toml)")
    .option("--minutes <count>", `from ${minutesMin} to ${minutesMax}`, `${minutesMin}`)
    .action(async (options) => {
      const minutes = Number(options.minutes);
      if (!(minutes >= minutesMin && minutes <= minutesMax))
        throw new UsageError(`--minutes is from ${minutesMin} to ${minutesMax}.`);
      await prove(io, options, minutes);
    });
}

/** @throws CommandFailed if something was not kept, or the checker's control passed */
export async function prove(io: CliIo, options: ProveOptions, minutes: number): Promise<void> {
  const { settings } = settingsFrom(io, options);
  const dataDir = dataDirOf(io, options);
  if (!existsSync(dataDir))
    throw new CommandFailed(
      "no_data_folder",
      `${dataDir} does not exist. Name the folder of the service: --data-dir DIR.`,
    );
  const { engineFile } = settings.cluster;
  const engine = engineFile === null ? null : readFileSync(engineFile, "utf8").trim();
  becomeOwnerOf(realpathSync(dataDir));
  refuseBesideTooLittle(freeBytes(dataDir), minutes);
  const machine = await machineOf(dataDir);
  const { proved } = await import("./prove/proof.ts");
  const proof = await inTemporaryFolder(
    "prove-",
    ["SIGHUP", "SIGINT", "SIGTERM"],
    (root) =>
      proved({
        root,
        durationMs: minutes * 60_000,
        settings,
        engine,
        say: (line) => io.err(`${line}\n`),
      }),
    dataDir,
  );
  print(io, options, { isProved: isProved(proof), ...proof, ...machine }, () => pageOf(proof, machine));
  refuseUnproved(proof);
}

/** What its disk costs, and what it may not keep. */
async function machineOf(dataDir: string): Promise<{ fsync: string; warnings: string[] }> {
  const findings = await machineFindings(dataDir, null);
  const fsync = findings.find(({ check }) => check === "fsync")?.says ?? "not known";
  const warnings = findings.filter(({ check }) => check === "volume").map(({ says }) => says);
  if (hasVolatileCache(dataDir))
    warnings.push(
      "the disk has a volatile write cache: a power cut keeps what is synced only if the disk obeys a flush",
    );
  return { fsync, warnings };
}

/** @throws CommandFailed */
export function refuseBesideTooLittle(free: number, minutes: number): void {
  const needed = bytesKept + minutes * bytesPerMinute;
  if (free >= needed) return;
  const [has, wants] = [free, needed].map((bytes) => Math.floor(bytes / mb));
  throw new CommandFailed(
    "too_little_space",
    `The disk of the data folder has ${has} MB free, and a proof of ${minutes} minutes wants ${wants}, so that the service beside it never lacks any.`,
  );
}

type Judged = Pick<Proof, "findings" | "control" | "callbacks">;
export const isProved = ({ findings, control, callbacks }: Judged): boolean =>
  findings.length === 0 && control.isRemovalFound && control.isAmountFound && callbacks?.isControlFound !== false;

/** @throws CommandFailed */
export function refuseUnproved(proof: Judged): void {
  if (isProved(proof)) return;
  if (proof.findings.length > 0)
    throw new CommandFailed("not_proved", `Something that was acknowledged was not kept: ${proof.findings[0]}`);
  throw new CommandFailed(
    "control_passed",
    "The checker did not find what was done to a copy on purpose: this proves nothing.",
  );
}

/** Read in a minute. */
export function pageOf(proof: Proof, { fsync, warnings }: { fsync: string; warnings: readonly string[] }): string {
  const { fullDisk, takeOver, control, callbacks } = proof;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const found = (isFound: boolean) => (isFound ? "found" : "NOT FOUND");
  const fields: [string, string][] = [
    [
      "Acknowledged",
      `${proof.acknowledged} messages, ${proof.cancelled} of them cancelled; ${proof.repeats} requests repeated`,
    ],
    ["Kills", `${proof.kills}, at moments drawn by chance`],
    ["Full disk", fullDiskText(fullDisk)],
    ["Restore", `${proof.restored} messages that were acknowledged before the copy`],
    [
      "Callbacks",
      callbacks === null
        ? "not tried: openssl is not installed"
        : `${callbacks.events} events; ${callbacks.refused} were refused, ${callbacks.repeated} repeated after an interruption; a lost and a doubled one: ${found(callbacks.isControlFound)}`,
    ],
    [
      "Take-over",
      "skipped" in takeOver
        ? `not tried: ${takeOver.skipped}`
        : `${seconds(takeOver.tookMs)}, ${takeOver.acknowledged} messages`,
    ],
    [
      "Control",
      `a removed message: ${found(control.isRemovalFound)}; a changed amount: ${found(control.isAmountFound)}`,
    ],
    ["fsync", fsync],
  ];
  const verdict = isProved(proof)
    ? "Nothing that was acknowledged is lost, doubled or wrong; ledger and quota add up."
    : "NOT PROVED";
  return `${verdict}\n\n${formatFields(fields)}${joinLines([...proof.findings, ...warnings].map((one) => `! ${one}`))}`;
}

function fullDiskText(fullDisk: Proof["fullDisk"]): string {
  if ("skipped" in fullDisk) return `not tried: ${fullDisk.skipped}`;
  const end = fullDisk.wentOn ? "went on by itself" : "ended, and was started again";
  return `${fullDisk.refusals} requests were refused with 503; the service ${end}`;
}
