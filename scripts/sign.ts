/** Signs a release's checksums with minisign, which asks for the secret key's password itself. */
import { readFileSync } from "node:fs";
import { releaseKey } from "../src/cli/system-files.ts";
import { verifyMinisign } from "../src/platform/minisign.ts";

/** @throws if a release cannot be signed here */
export function assertSignable(publicKey = releaseKey): void {
  if (Bun.which("minisign") === null) throw new Error("minisign is missing (apt-get install minisign).");
  if (publicKey === "")
    throw new Error("install.sh names no release key: write the public key into its line release_key=.");
}

/**
 * Writes `<file>.minisig` and returns the trusted comment that the installer will show. @throws if the installer would
 * reject the signature
 */
export async function sign(file: string, secretKey: string, comment: string, publicKey = releaseKey): Promise<string> {
  assertSignable(publicKey);
  const command = ["minisign", "-S", "-s", secretKey, "-m", file, "-t", comment];
  const code = await Bun.spawn(command, { stdio: ["inherit", "ignore", "inherit"] }).exited;
  if (code !== 0) throw new Error(`minisign ended with ${code}.`);
  return verifyMinisign(publicKey, readFileSync(`${file}.minisig`, "utf8"), readFileSync(file));
}
