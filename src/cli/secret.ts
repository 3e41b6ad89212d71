/**
 * `peyk secret rotate`: creates a new key and re-encrypts everything that the database holds sealed. The service must
 * be stopped.
 */
import { resolve } from "node:path";
import { counted } from "../domain/counted.ts";
import { credentialSecretsPurpose } from "../domain/credential.ts";
import { otpHashPurposes } from "../domain/otp.ts";
import { erasedRecipientsPurpose } from "../domain/privacy.ts";
import { writeDurably } from "../platform/durable-file.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { asOwnerOf, leadsThrough } from "../platform/folder-owner.ts";
import { deriveHashKey } from "../platform/keyed-hash.ts";
import { createSealer, keyFileText, newKey, opensAll, readKeys } from "../platform/seal.ts";
import { installedKey, keyFiles } from "./backup-report.ts";
import { noun } from "./declared.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { withStartErrors } from "./start-error.ts";
import { joinLines } from "./text.ts";
import { dataDirOf, print, verb } from "./verb.ts";

export const secretCommand = noun("secret", "the key file, which opens stored passwords and signing secrets", {
  rotate,
});

function rotate(io: CliIo) {
  const words = {
    does: "make a new key file and seal everything under it; the service must be stopped",
    examples: ["peyk secret rotate    (between: systemctl stop peyk, systemctl start peyk)"],
  };
  return verb("rotate", words)
    .option("--key <file>", "key file to replace (<data-dir>/secret.key, /etc/peyk/secret.key)")
    .addHelpText(
      "after",
      "\nAPI keys, Idempotency-Keys and one-time passwords stay good. Where it was interrupted, run it again.\n",
    )
    .action(async (options) => {
      const folder = dataDirOf(io, options);
      const path = keyFileOf(folder, options.key);
      const answer = await withStartErrors(folder, () => rotated(io, folder, path));
      print(io, options, answer, ({ resealed, unreadable, kept }) =>
        joinLines([
          `${path} is new, and ${counted(resealed, "stored secret")} ${resealed === 1 ? "is" : "are"} sealed under it.`,
          ...(unreadable === 0 ? [] : [`${unreadable} more cannot be read: their key was lost before.`]),
          `Copies of the database that were made before need the old key, ${kept}. Remove it if it leaked.`,
          "Back the new key file up, then start the service: systemctl start peyk, or peyk serve",
        ]),
      );
    });
}

function keyFileOf(folder: string, named: string | undefined): string {
  const [path] = keyFiles(folder, named);
  if (path !== undefined) return resolve(path);
  throw new CommandFailed("key_file", `There is no key file in ${folder}, nor at ${installedKey}. Say --key FILE.`);
}

/**
 * While both keys are in the file, anything sealed by either can be opened: after a crash at any point the service
 * starts, and the next call completes the rotation.
 */
async function rotated(io: CliIo, folder: string, path: string) {
  const { resealDatabase, sealedSamples } = await import("../store/reseal.ts");
  const isInFolder = leadsThrough(folder, path);
  const onKeyFile = <T>(work: () => T) => (isInFolder ? asOwnerOf(folder, work) : work());
  const [old, next = newKey()] = onKeyFile(() => keysIn(path));
  const sealer = createSealer(old, next);
  const samples = asOwnerOf(folder, () => sealedSamples(folder, Date.now()));
  if (samples.length > 0 && !samples.some((sealed) => opensAll(sealer, [sealed])))
    throw new CommandFailed("key_file", `${path} opens nothing of what the database holds sealed: it is not its key.`);
  onKeyFile(() => writeDurably(path, keyFileText([old, next])));
  const hashKeys = new Map(
    [...Object.values(otpHashPurposes), erasedRecipientsPurpose, credentialSecretsPurpose].map((purpose) => [
      purpose,
      deriveHashKey(old, purpose),
    ]),
  );
  const progress = progressLine(io);
  const report = asOwnerOf(folder, () => resealDatabase(folder, Date.now(), { sealer, hashKeys, progress }));
  const kept = `${path}.before-${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}`;
  onKeyFile(() => {
    writeDurably(kept, keyFileText([old]));
    writeDurably(path, keyFileText([next]));
  });
  return { file: path, ...report, kept };
}

function keysIn(path: string) {
  try {
    return readKeys(path);
  } catch (reason) {
    if (errorCode(reason) === "") throw reason;
    const cause = errorCode(reason) === "EACCES" ? "it is another user's. Use sudo" : fileFailure(reason);
    throw new CommandFailed("key_file", `The key file ${path} cannot be read: ${cause}.`);
  }
}

function progressLine(io: CliIo): (looked: number, total: number) => void {
  if (io.errIsTerminal !== true) return () => {};
  return (looked, total) => io.err(looked < total ? `\r${looked} of ${total} messages` : "\r\u001b[K");
}
