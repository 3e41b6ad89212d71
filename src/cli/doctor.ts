/** `peyk doctor`: checks the machine, the settings and the service, and says what to do about each finding. */
import { resolve } from "node:path";
import { browsableUrl } from "../config/host-port.ts";
import { loadSettings, type Settings } from "../config/settings.ts";
import {
  alertsFinding,
  backupFinding,
  certificateFinding,
  fraudFinding,
  frequentBackupFinding,
} from "../operator/doctor.ts";
import { bad, type Finding, type Grade, note, ok, warn } from "../operator/finding.ts";
import { readKeys } from "../platform/seal.ts";
import { keyFiles } from "./backup-report.ts";
import { type Colour, type Paint, paintFor } from "./colour.ts";
import { clusterFindings } from "./doctor-cluster.ts";
import { machineFindings } from "./doctor-machine.ts";
import { serverFindings, unitFindings } from "./doctor-service.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { type CurrencyCheck, checkCurrency } from "./kept-currency.ts";
import { asServiceUser, unusableFiles } from "./service-files.ts";
import { joinLines } from "./text.ts";
import { type CommonOptions, connect, dataDirOf, print, verb } from "./verb.ts";

const mark: Readonly<Record<Grade, string>> = { ok: "  ok  ", note: "  --  ", warn: " WARN ", bad: "  BAD " };
const tone: Readonly<Record<Grade, Colour>> = { ok: "good", note: "quiet", warn: "warning", bad: "bad" };

export function doctorCommand(io: CliIo) {
  const words = {
    does: "check clock, disk, limits, settings, certificate, unit and routes, and say what to do",
    examples: ["peyk doctor", "peyk doctor --json"],
  };
  return verb("doctor", words)
    .option("--config <file>", "settings file (PEYK_CONFIG, <data-dir>/peyk.toml, /etc/peyk/peyk.toml)")
    .addHelpText("after", "\nExit code 0 when nothing is bad (warnings included), 1 otherwise.\n")
    .action(async (options) => {
      const findings = await examine(io, options);
      print(io, options, findings, (all) => report(all, paintFor(io)));
      const grave = findings.filter(({ grade }) => grade === "bad").length;
      if (grave > 0) throw new CommandFailed("unwell", `${grave} ${grave === 1 ? "finding is" : "findings are"} bad.`);
    });
}

async function examine(io: CliIo, options: CommonOptions & { config?: string | undefined }): Promise<Finding[]> {
  const flags = options.dataDir === undefined ? {} : { data_dir: options.dataDir };
  const loaded = loadSettings({ flags, env: io.env, readFile: io.readFile, configFile: options.config });
  if (!loaded.ok) return loaded.problems.map(({ key, message }) => bad(`setting ${key}`, message, "peyk config check"));
  const { settings, warnings, file } = loaded;
  // A settings file names its own folder, and the socket in it.
  const ofFile = options.config === undefined ? {} : { dataDir: resolve(settings.dataDir) };
  const own = { ...ofFile, ...options };
  const dataDir = dataDirOf(io, own);
  const unit = await unitFindings();
  const cluster = await clusterFindings(settings, keyIn(dataDir));
  return [
    ok("settings", file ?? "Environment and defaults"),
    ...warnings.map((warning) => warn("settings", warning, "peyk config show --origin")),
    ...(await machineFindings(dataDir, unit.pid)),
    ...unusableFiles(settings, file, dataDir).map((says) => bad("files", says, filesTodo)),
    currencyFinding(checkCurrency(loaded, dataDir)),
    asServiceUser(dataDir, () => certificateFinding(settings, Date.now())),
    fraudFinding(settings),
    alertsFinding(settings),
    backupFinding(dataDir, settings.backup.nightlyKeep, Date.now()),
    frequentBackupFinding(dataDir, settings.backup.everyMinutes, Date.now(), cluster?.copies),
    ...(cluster?.findings ?? []),
    ...unit.findings,
    ...(await serverFindings(connect(io, own))),
    note("documentation", `${consoleUrlOf(settings)}/help/troubleshooting`),
  ];
}

const consoleUrlOf = ({ console, consoleListen }: Settings): string =>
  console.url ?? browsableUrl(`${console.tls.certFile === null ? "http" : "https"}://${consoleListen}`);

/** Null if it is missing, or another user's. */
function keyIn(dataDir: string): Uint8Array | null {
  const [path] = keyFiles(dataDir, undefined);
  try {
    return path === undefined ? null : (readKeys(path).at(-1) ?? null);
  } catch {
    return null;
  }
}

function currencyFinding(found: CurrencyCheck): Finding {
  const check = "currency";
  if (found.state === "unknown") return note(check, found.words);
  if (found.state === "changed")
    return bad(check, found.words, "correct currency; until then the next start is refused");
  return found.kept === null
    ? note(check, "It can be chosen until the first price or top-up")
    : ok(check, `${found.kept}, as the database keeps it`);
}

const filesTodo =
  "correct its name, or let the service's user read it: chgrp peyk FILE; chmod 640 FILE; then: peyk config check";

function report(findings: readonly Finding[], paint: Paint): string {
  return findings
    .map(({ check, grade, says, do: todo }) => {
      const lines = [`${mark[grade]} ${check}: ${says}`, ...(todo === null ? [] : [`        → ${todo}`])];
      return joinLines(lines, (line) => line.replace(mark[grade], paint(tone[grade], mark[grade])));
    })
    .join("");
}
