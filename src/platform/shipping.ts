/** Copies the newest backup off-site with an operator's command, and remembers the outcome. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Clock, sleep } from "./clock.ts";
import { writeDurably } from "./durable-file.ts";
import { asOwnerOf } from "./folder-owner.ts";
import { findPorted } from "./ported-files.ts";
import { backupFolder, filesIn, newestBackup } from "./rotating-backup.ts";

export interface Shipping {
  /** When the newest shipped copy was made, epoch milliseconds; null if none was shipped. */
  madeAt: number | null;
  /** Why the last one failed; null if it succeeded, or if none was tried. */
  failure: string | null;
  /** The file of ported numbers that was shipped last; null for none. */
  ported: string | null;
}

export const shippingFileName = "shipped.json";
const charactersMax = 300;

/** A copy that has not been written for so long was given up. */
const copyStalledMs = 10_000;
const lookMs = 100;

/**
 * The command gets the path of the copy as its last argument, and before that, once, the path of the file of ported
 * numbers that `portedOf` the copy names. False if the newest copy was already shipped. Waits for a copy that is being
 * made: systemd starts this when the copy begins, and misses its end while this runs.
 */
export async function shipNewest(
  dataDir: string,
  command: readonly string[],
  clock: Pick<Clock, "now" | "after">,
  portedOf: (file: string) => string | null,
): Promise<boolean> {
  while (isCopyUnderWay(dataDir, clock.now())) await sleep(clock, lookMs);
  const newest = newestBackup(dataDir);
  const last = readShipping(dataDir);
  if (newest === null || (last.failure === null && last.madeAt !== null && last.madeAt >= newest.madeAt)) return false;
  const ported = portedOf(newest.file);
  const isNew = ported !== null && ported !== last.ported;
  const table = isNew ? findPorted(ported, [backupFolder(dataDir), dataDir]) : null;
  const refusal = table === null ? null : await run([...command, table]);
  // Messages and accounts go even if the table cannot.
  const failed = await run([...command, newest.file]);
  const failure = failed ?? refusal;
  const shipping: Shipping = {
    madeAt: failed === null ? newest.madeAt : last.madeAt,
    failure,
    ported: table !== null && refusal === null ? ported : last.ported,
  };
  asOwnerOf(dataDir, () => writeDurably(join(dataDir, shippingFileName), `${JSON.stringify(shipping)}\n`));
  if (failure !== null) throw new Error(failure);
  return true;
}

function isCopyUnderWay(dataDir: string, now: number): boolean {
  const folder = backupFolder(dataDir);
  return filesIn(folder).some((name) => {
    const file = name.endsWith(".partial") ? statSync(join(folder, name), { throwIfNoEntry: false }) : undefined;
    return file !== undefined && now - file.mtimeMs < copyStalledMs;
  });
}

async function run(command: readonly string[]): Promise<string | null> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "inherit", stderr: "pipe" });
  const said = (await new Response(child.stderr).text()).trim();
  const code = await child.exited;
  return code === 0 ? null : `${command.join(" ")} ended with ${code}: ${said.slice(-charactersMax)}`;
}

export function readShipping(dataDir: string): Shipping {
  const path = join(dataDir, shippingFileName);
  const found = existsSync(path) ? parsed(readFileSync(path, "utf8")) : null;
  const { madeAt, failure, ported }: { [name in keyof Shipping]?: unknown } =
    typeof found === "object" && found !== null ? found : {};
  return {
    madeAt: typeof madeAt === "number" ? madeAt : null,
    failure: typeof failure === "string" ? failure : null,
    ported: typeof ported === "string" ? ported : null,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { failure: `${shippingFileName} is damaged; the next copy that goes mends it` };
  }
}
