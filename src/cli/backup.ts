/** `peyk backup …`: copies the database while the service runs, verifies a copy, and restores it while the service is stopped. */
import { basename, join, resolve } from "node:path";
import { counted } from "../domain/counted.ts";
import { isoTime } from "../platform/clock.ts";
import { errorMessage } from "../platform/error-code.ts";
import { asOwnerOf } from "../platform/folder-owner.ts";
import { keyFileName } from "../platform/seal.ts";
import { targetLacks } from "../platform/target-state.ts";
import { drillBackup } from "./backup-drill.ts";
import {
  described,
  type KeyOptions,
  keyWords,
  loadStore,
  portedText,
  reportLines,
  seconds,
  size,
  type Verified,
  verified,
  withCommandErrors,
} from "./backup-report.ts";
import type { TargetOptions } from "./backup-target.ts";
import { noun } from "./declared.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { withStartErrors } from "./start-error.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";
import { formatFields, formatTable, joinLines, shortTime } from "./text.ts";
import { ask, type CommonOptions, dataDirOf, print, verb } from "./verb.ts";

export const backupCommand = noun(
  "backup",
  "copies of the database: list, make, verify, restore, try, bring elsewhere and back",
  {
    list,
    create,
    verify,
    check,
    restore,
    drill: drillBackup,
    ship: shipBackup,
    "target-key": targetKey,
    upload,
    fetch: fetchBack,
  },
);

/** Loaded late, with what it needs. */
const target = () => import("./backup-target.ts");
const configFlag = ["--config <file>", "settings file that names the bucket (see peyk config show)"] as const;
const targetKeyFlag = ["--target-key <file>", "file with the secret key of peyk backup target-key"] as const;

function list(io: CliIo) {
  return verb("list", {
    does: "list the copies that the running service made, the newest first; or those in the bucket",
    examples: ["peyk backup list", "peyk backup list --target"],
  })
    .option("--target", "those in the bucket of [backup_target]")
    .option(...configFlag)
    .action((options) => (options.target === true ? listThere(io, options) : listHere(io, options)));
}

const copyTable = (copies: readonly { name: string; kind: string; madeAt: string; bytes: number }[]) =>
  formatTable(
    ["NAME", "KIND", "MADE", "SIZE"],
    copies.map(({ name, kind, madeAt, bytes }) => [name, kind, shortTime(madeAt), size(bytes)]),
  );

const listHere = (io: CliIo, options: CommonOptions) =>
  ask(
    io,
    options,
    (api) => api("GET /backups"),
    ({ copies }) => copyTable(copies),
  );

async function listThere(io: CliIo, options: TargetOptions) {
  const { copiesThere } = await target();
  const copies = (await copiesThere(io, options)).map(({ key: _, ported: __, ...copy }) => ({
    ...copy,
    madeAt: isoTime(copy.madeAt),
  }));
  print(io, options, { copies }, () => copyTable(copies));
}

function targetKey(io: CliIo) {
  return verb("target-key", {
    does: "make the key that copies for the bucket are sealed for, and show it once",
    examples: ["peyk backup target-key"],
  }).action(async (options) => {
    const { newTargetKey } = await import("../backup-target/sealing.ts");
    print(io, options, await newTargetKey(), ({ secretKey, publicKey }) =>
      [
        "The secret key, shown this once. Keep it apart from this machine: nothing else opens the copies.",
        `  ${secretKey}`,
        "Its public half seals them, and belongs into the settings:",
        "  [backup_target]",
        `  public_key = "${publicKey}"`,
        "",
      ].join("\n"),
    );
  });
}

function upload(io: CliIo) {
  return verb("upload", {
    does: "bring the newest copies to the bucket of [backup_target], as the service does after each copy",
    examples: ["peyk backup upload"],
  })
    .option(...configFlag)
    .option("--keep-all", "delete no old copies there")
    .action(async (options) => {
      const { uploadNewest } = await target();
      const { uploaded, state } = await uploadNewest(io, options);
      print(io, options, { uploaded, lacks: state.lacks }, () =>
        joinLines([
          uploaded.length === 0 ? "The bucket answers and lacks no copy." : `In the bucket now: ${uploaded.join(", ")}`,
          ...state.lacks.map((lack) => targetLacks[lack]),
        ]),
      );
    });
}

function fetchBack(io: CliIo) {
  return verb("fetch", {
    does: "bring a copy back from the bucket, and open it",
    examples: ["peyk backup fetch newest /srv/backup/peyk.db --target-key /root/target.key"],
  })
    .argument("<name>", "the copy, or newest")
    .argument("<file>", "the file to write")
    .option(...configFlag)
    .option(...targetKeyFlag)
    .action(async (name, file, options) => {
      const { fetchCopy } = await target();
      print(io, options, await fetchCopy(io, name, file, options), ({ name, file, bytes, ported }) =>
        joinLines([
          `${file}: ${name}, ${size(bytes)}.`,
          ...(ported === null ? [] : [portedText(ported, "beside it")]),
          `Check the copy:  peyk backup verify ${file}`,
        ]),
      );
    });
}

function create(io: CliIo) {
  return verb("create", {
    does: "copy the database to a file while the service runs",
    examples: ["peyk backup create /srv/backup/peyk-monday.db"],
  })
    .argument("<file>", "the file to write")
    .action(async (file, options) => {
      const { copyDatabase } = await loadStore();
      const target = resolve(file);
      const made = await withCommandErrors(() => copyDatabase(dataDirOf(io, options), target));
      const answer = { file: target, bytes: made.bytes, durationMs: Math.round(made.durationMs) };
      print(
        io,
        options,
        answer,
        () =>
          `${target}: ${size(made.bytes)}, copied in ${seconds(made.durationMs)}.\n` +
          `The key file is not in it. Keep a copy of ${keyFileName} elsewhere: without it no stored password can be read.\n` +
          `Check the copy:  peyk backup verify ${target}\n`,
      );
    });
}

function verify(io: CliIo) {
  return verb("verify", {
    does: "open a copy, check its pages and references, and count its rows",
    examples: ["peyk backup verify /srv/backup/peyk-monday.db"],
  })
    .argument("<file>", "the copy")
    .option("--key <file>", "key file to try (<data-dir>/secret.key, /etc/peyk/secret.key)")
    .action(async (file, options) => {
      const answer = await verified(io, resolve(file), options);
      print(io, options, answer, (report) => `${file} is whole.\n${formatFields(reportLines(report))}`);
    });
}

function check(io: CliIo) {
  return verb("check", {
    does: "read every page of the database itself, also while the service runs",
    examples: ["peyk backup check"],
  }).action(async (options) => {
    const { checkDatabase } = await import("../store/database-check.ts");
    const folder = dataDirOf(io, options);
    await withStartErrors(folder, () => withCommandErrors(() => asOwnerOf(folder, () => checkDatabase(folder))));
    print(io, options, { whole: true }, () => "Every page of the database is whole.\n");
  });
}

function restore(io: CliIo) {
  return verb("restore", {
    does: "replace the database of a stopped service by a copy; the old database is kept",
    examples: [
      "peyk backup restore /srv/backup/peyk-monday.db",
      "peyk backup restore --from newest --target-key /root/target.key",
    ],
  })
    .argument("[file]", "the copy")
    .option("--from <name>", "a copy in the bucket of [backup_target], or newest")
    .option(...configFlag)
    .option(...targetKeyFlag)
    .option("--key <file>", "key file to try (<data-dir>/secret.key, /etc/peyk/secret.key)")
    .option("--release", "send what waits in the copy at the next start, also what was sent since")
    .action((file, options) => {
      const { from } = options;
      if ((file === undefined) === (from === undefined))
        throw new CommandFailed("usage", "Name one copy: a file, or --from with a name of peyk backup list --target.");
      if (from === undefined) return restoreFile(io, resolve(file ?? ""), options);
      return inTemporaryFolder("peyk-fetched-", ["SIGHUP", "SIGINT", "SIGTERM"], async (folder) => {
        const { fetchCopy } = await target();
        const fetched = join(folder, from === "newest" ? "newest.db" : basename(from));
        const { name } = await fetchCopy(io, from, fetched, options);
        await restoreFile(io, fetched, options, name);
      });
    });
}

async function restoreFile(io: CliIo, file: string, options: KeyOptions & { release?: true | undefined }, name = file) {
  const { restoreCopy } = await loadStore();
  const folder = dataDirOf(io, options);
  const rules = { now: Date.now(), release: options.release === true };
  const { report, kept, replaced } = await withStartErrors(folder, () =>
    withCommandErrors(() => restoreCopy(folder, file, rules)),
  );
  const copy = await withCommandErrors(() => described(name, report, { folder, portedIn: folder, key: options.key }));
  print(io, options, { ...copy, kept, replaced, held: options.release !== true }, () =>
    restoredText(copy, kept, replaced, { release: options.release === true, folder }),
  );
}

function restoredText(
  copy: Verified,
  kept: string | null,
  replaced: Readonly<Record<string, number>> | null,
  { release, folder }: { release: boolean; folder: string },
): string {
  const old = replaced === null ? "which could not be read" : `with ${counted(replaced.messages ?? 0, "message")}`;
  const newest = copy.newestMessageAt === null ? "" : `, the newest of ${copy.newestMessageAt}`;
  return [
    kept === null ? "There was no database before." : `The database before it, ${old}, is kept as ${kept}.`,
    `${copy.file} is in its place: ${counted(copy.counts.messages ?? 0, "message")}${newest}.`,
    ...waitingLines(copy, release),
    ...(copy.ported?.isThere === false ? [portedText(copy.ported, `in ${folder}`)] : []),
    ...(copy.key === "fits" || copy.key === "nothing sealed" ? [] : [`Key: ${keyWords[copy.key]}.`]),
    "Start the service: systemctl start peyk, or peyk serve",
    "",
  ].join("\n");
}

function waitingLines({ counts: { waiting = 0, callbacksWaiting = 0 } }: Verified, release: boolean): string[] {
  const when = release ? "" : ', once you have looked and say: "peyk queue release"';
  const again = `, also those that were sent since the copy was made${when}.`;
  return [
    ...(waiting === 0 ? [] : [`${waiting} of them still wait and will be sent${again}`]),
    ...(callbacksWaiting === 0 ? [] : [`${counted(callbacksWaiting, "callback")} still wait and will be sent${again}`]),
    ...(waiting + callbacksWaiting > 0 || release ? [] : ['Nothing is sent until you say: "peyk queue release".']),
  ];
}

export function shipBackup(io: CliIo) {
  return verb("ship", {
    does: "hand the newest copy to a command that brings it elsewhere, unless it was brought already",
    examples: ["peyk backup ship /etc/peyk/ship-backup"],
  })
    .argument("<command...>", "the command; the path of the copy becomes its last word")
    .action(async (command, options) => {
      const { shipNewest } = await import("../platform/shipping.ts");
      const { portedOfCopy } = await loadStore();
      const { systemClock } = await import("../platform/clock.ts");
      const dataDir = dataDirOf(io, options);
      const portedOf = (copy: string) => asOwnerOf(dataDir, () => portedOfCopy(copy));
      const shipped = await shipNewest(dataDir, command, systemClock, portedOf).catch((reason: unknown) => {
        throw new CommandFailed("not_shipped", errorMessage(reason));
      });
      print(io, options, { shipped }, () =>
        shipped ? "The newest copy is elsewhere now.\n" : "There is no newer copy.\n",
      );
    });
}
