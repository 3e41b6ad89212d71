/** Brings the newest backup elsewhere by a command of the operator's, and remembers how that ended. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "./durable-file.ts";
import { asOwnerOf } from "./folder-owner.ts";
import { newestBackup } from "./rotating-backup.ts";

export interface Shipping {
  /** When the newest copy was made that was brought elsewhere, epoch milliseconds; null where none was. */
  madeAt: number | null;
  /** Why the last one was not; null where it was, and where none was tried. */
  failure: string | null;
}

export const shippingFileName = "shipped.json";
const charactersMax = 300;

/** The command gets the path of the copy as its last word. False where the newest copy was brought away already. */
export async function shipNewest(dataDir: string, command: readonly string[]): Promise<boolean> {
  const newest = newestBackup(dataDir);
  const last = readShipping(dataDir);
  if (newest === null || (last.failure === null && last.madeAt !== null && last.madeAt >= newest.madeAt)) return false;
  const failure = await run([...command, newest.file]);
  const shipping: Shipping = { madeAt: failure === null ? newest.madeAt : last.madeAt, failure };
  asOwnerOf(dataDir, () => writeDurably(join(dataDir, shippingFileName), `${JSON.stringify(shipping)}\n`));
  if (failure !== null) throw new Error(failure);
  return true;
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
  const { madeAt = null, failure = null }: { madeAt?: unknown; failure?: unknown } =
    typeof found === "object" && found !== null ? found : {};
  return {
    madeAt: typeof madeAt === "number" ? madeAt : null,
    failure: typeof failure === "string" ? failure : null,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { failure: `${shippingFileName} is damaged; the next copy that goes mends it` };
  }
}
