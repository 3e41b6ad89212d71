/** One proof: the service under kills, on a full disk and from a copy, with honest clients; then its files are judged. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../config/settings.ts";
import { keyFileName } from "../../platform/seal.ts";
import { type Acknowledged, type Control, controlOf, findingsIn, missingIn } from "./checker.ts";
import { addCustomer, HonestClients } from "./honest-clients.ts";
import { openProofReceiver, type ProofReceiver } from "./proof-receiver.ts";
import { databaseIn, environmentOf, ScratchService, whenAllEnded } from "./scratch-service.ts";
import { provedTakeOver, type TakeOver } from "./take-over.ts";

export interface ProofOptions {
  /** Empty, on the disk that is proved. */
  root: string;
  durationMs: number;
  /** Those of the installation. */
  settings: Settings;
  /** Of the PostgreSQL that is set; null for none. */
  engine: string | null;
  say(line: string): void;
}

type FullDisk = { skipped: string } | { refusals: number; wentOn: boolean };

export interface Proof {
  acknowledged: number;
  cancelled: number;
  repeats: number;
  kills: number;
  fullDisk: FullDisk;
  restored: number;
  /** Null if no certificate could be made for a receiver. */
  callbacks: ReturnType<ProofReceiver["judge"]> | null;
  takeOver: TakeOver;
  /** What is wrong, in sentences. */
  findings: string[];
  control: Control;
}

/** The shares of the time that end with each: kills, then a full disk, then a copy. */
const [killsUntil, fullUntil] = [0.6, 0.8];
const [killMsMin, killMsMax] = [300, 5_000];
const fullBytes = 4_096;

export async function proved({ root, durationMs, settings, engine, say }: ProofOptions): Promise<Proof> {
  const env = environmentOf(settings);
  const receiver = openProofReceiver(join(root, "receiver"));
  const service = new ScratchService(join(root, "service"), { ...env, ...receiver?.environment });
  const stop = () => void service.end("SIGKILL");
  process.on("exit", stop);
  try {
    await service.start();
    const apiKey = await addCustomer(service.api);
    await receiver?.subscribe(service.url, apiKey);
    const clients = new HonestClients(apiKey, () => service.url);
    const startedAt = performance.now();
    const leftMs = (share: number) => Math.max(0, share * durationMs - (performance.now() - startedAt));
    say("Clients send, and the service is killed …");
    const kills = await killedOften(service, receiver, () => leftMs(killsUntil));
    say("… its disk is full …");
    const fullSince = performance.now();
    const fullDisk = await onFullDisk(service, clients, leftMs(fullUntil));
    receiver?.interrupted(fullSince);
    say("… and it is copied, and restored.");
    const restored = await restoredFrom(service, new ScratchService(join(root, "restored"), env), clients.acknowledged);
    await Bun.sleep(leftMs(1));
    await clients.end();
    await whenAllEnded(service);
    await service.end("SIGTERM");
    if (engine !== null) say("Two nodes of a cluster lose their leader …");
    const takeOver = await provedTakeOver(join(root, "cluster"), env, engine);
    const { acknowledged, repeats } = clients;
    const file = databaseIn(service.folder);
    const callbacks = receiver?.judge(file) ?? null;
    const ofCallbacks = callbacks?.findings ?? [];
    const ofFullDisk =
      "skipped" in fullDisk || fullDisk.wentOn ? [] : ["full disk: the service ended, and did not go on by itself"];
    const ofTakeOver = "findings" in takeOver ? takeOver.findings.map((one) => `take-over: ${one}`) : [];
    return {
      acknowledged: acknowledged.length,
      cancelled: acknowledged.filter(({ isCancelled }) => isCancelled).length,
      repeats,
      kills,
      fullDisk,
      restored: restored.told,
      callbacks,
      takeOver,
      findings: [
        ...[clients.findings, findingsIn(file, acknowledged), restored.findings].flat(),
        ...[ofFullDisk, ofCallbacks, ofTakeOver].flat(),
      ],
      control: controlOf(file, join(root, "control.db"), acknowledged),
    };
  } finally {
    process.off("exit", stop);
    await receiver?.close();
    await service.end("SIGKILL");
  }
}

async function killedOften(service: ScratchService, receiver: ProofReceiver | null, leftMs: () => number) {
  let kills = 0;
  do {
    await Bun.sleep(killMsMin + Math.random() * Math.min(leftMs(), killMsMax));
    const since = performance.now();
    await service.end("SIGKILL");
    kills += 1;
    await service.start();
    receiver?.interrupted(since);
  } while (leftMs() > 0);
  return kills;
}

/** No file may grow beyond a few octets: each write fails as on a full disk. */
async function onFullDisk(service: ScratchService, clients: HonestClients, forMs: number): Promise<FullDisk> {
  const { pid } = service;
  const before = clients.refusals;
  const limit = (bytes: string) => Bun.spawnSync(["prlimit", `--pid=${pid}`, `--fsize=${bytes}:`]).success;
  if (Bun.which("prlimit") === null) return { skipped: "prlimit (util-linux) is not installed" };
  if (!limit(String(fullBytes))) return { skipped: "no limit could be set" };
  await Bun.sleep(forMs / 2);
  limit("unlimited");
  await Bun.sleep(forMs / 2);
  const wentOn = service.url !== null;
  if (!wentOn) await service.start();
  const refusals = clients.refusals - before;
  return wentOn && refusals === 0 ? { skipped: "the limit had no effect" } : { refusals, wentOn };
}

/** By what had been acknowledged before the copy was begun. */
async function restoredFrom(from: ScratchService, to: ScratchService, acknowledged: readonly Acknowledged[]) {
  const told = acknowledged.slice();
  const copy = `${to.folder}.db`;
  await from.command("backup", "create", copy);
  copyFileSync(join(from.folder, keyFileName), join(to.folder, keyFileName));
  await to.command("backup", "restore", copy);
  try {
    await to.start();
  } finally {
    await to.end("SIGTERM");
  }
  return { told: told.length, findings: missingIn(databaseIn(to.folder), told).map((one) => `restored: ${one}`) };
}
