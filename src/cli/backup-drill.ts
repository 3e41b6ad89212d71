/**
 * `peyk backup drill`: restores the newest copy into a temporary folder, starts it without routes, and compares the
 * counts.
 */
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defaultSettings } from "../config/settings.ts";
import { systemClock } from "../platform/clock.ts";
import { silentLog } from "../platform/log.ts";
import { systemRandom } from "../platform/random.ts";
import { backupFolder, newestBackup } from "../platform/rotating-backup.ts";
import { keyFileName } from "../platform/seal.ts";
import type { OpenCopy } from "../store/private-copy.ts";
import {
  described,
  type KeyOptions,
  keyFiles,
  keyFromFile,
  loadStore,
  reportLines,
  seconds,
  type Verified,
  withCommandErrors,
} from "./backup-report.ts";
import { operatorClient } from "./client.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { becomeOwnerOf } from "./owner.ts";
import { withStartErrors } from "./start-error.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";
import { formatFields } from "./text.ts";
import { dataDirOf, print, verb } from "./verb.ts";

export function drillBackup(io: CliIo) {
  return verb("drill", {
    does: "restore the newest copy into a temporary folder, start it without routes, compare, and remove it",
    examples: ["peyk backup drill", "peyk backup drill /srv/backup/peyk-monday.db"],
  })
    .argument("[file]", "another copy")
    .option("--key <file>", "key file to start with (<data-dir>/secret.key, /etc/peyk/secret.key)")
    .action(async (file, options) => {
      const answer = await drill(dataDirOf(io, options), file, options);
      print(
        io,
        options,
        answer,
        ({ startedInMs, ...copy }) =>
          `${copy.file} was restored and started in ${seconds(startedInMs)}, with all that it holds.\n${formatFields(reportLines(copy))}`,
      );
    });
}

async function drill(dataDir: string, named: string | undefined, { key }: KeyOptions) {
  const [keyFile] = keyFiles(dataDir, key);
  const keyText = keyFile === undefined ? null : keyFromFile(dataDir, keyFile, (path) => readFileSync(path, "utf8"));
  const file = named === undefined ? newestBackup(dataDir)?.file : resolve(named);
  if (file === undefined) throw new CommandFailed("no_copy", `There is no copy in ${backupFolder(dataDir)} yet.`);
  const { openCopy } = await import("../store/private-copy.ts");
  using copy = await withCommandErrors(() => openCopy(dataDir, file));
  // Everything made from the copy belongs to the service's user; key and copy may belong to root.
  if (existsSync(dataDir)) becomeOwnerOf(realpathSync(dataDir));
  return await inTemporaryFolder("peyk-drill-", ["SIGHUP", "SIGINT", "SIGTERM"], (folder) =>
    withStartErrors(folder, () => tried(folder, { copy, keyFile, keyText })),
  );
}

interface Trial {
  copy: OpenCopy;
  keyFile: string | undefined;
  keyText: string | null;
}

async function tried(folder: string, { copy, keyFile, keyText }: Trial) {
  if (keyText !== null) writeFileSync(join(folder, keyFileName), keyText, { mode: 0o600 });
  const startedAt = performance.now();
  const expected = await restored(folder, copy);
  const found = await startedFrom(folder);
  const startedInMs = Math.round(performance.now() - startedAt);
  for (const [what, count] of Object.entries(found)) {
    if (count !== expected.counts[what]) {
      throw new CommandFailed(
        "drill_failed",
        `${copy.file} holds ${expected.counts[what]} ${what}, the service that started from it ${count}.`,
      );
    }
  }
  if (expected.key === "other") throw new CommandFailed("drill_failed", `${keyFile} is not the key of ${copy.file}.`);
  return { ...expected, startedInMs };
}

async function restored(folder: string, copy: OpenCopy): Promise<Verified> {
  const { restoreOpened, refuseWithoutSpace } = await loadStore();
  return withCommandErrors(() => {
    refuseWithoutSpace(copy.bytes, folder);
    const options = { now: Date.now(), release: false, withRoutes: false };
    return described(copy.file, restoreOpened(folder, copy, options).report, { folder, portedIn: folder });
  });
}

/** The counts of a service started on the folder; it has stopped again when this resolves. */
async function startedFrom(folder: string) {
  const { startServer } = await import("../server/server.ts");
  const settings = { ...defaultSettings(), dataDir: folder, listen: "127.0.0.1:0", consoleListen: "127.0.0.1:0" };
  const environment = { clock: systemClock, random: systemRandom, log: silentLog };
  const server = await startServer(settings, environment);
  try {
    const api = operatorClient({ path: server.socketPath, dataDir: folder, user: "drill" });
    const { accounts, routes } = await api("GET /status");
    // The start may have added the simulator; the routes in the copy are switched off.
    return { accounts, routes: routes.filter(({ enabled }) => !enabled).length };
  } finally {
    await server.stop();
  }
}
