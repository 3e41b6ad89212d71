/** `peyk status`: the running service's state, with warnings. */
import { counted } from "../domain/counted.ts";
import { sizeText } from "../domain/size-text.ts";
import type { DigestAnswer } from "../operator/digest.ts";
import type { StatusAnswer } from "../operator/status.ts";
import { type Colour, type Paint, paintFor } from "./colour.ts";
import type { CliIo } from "./io.ts";
import { routeStateText } from "./route.ts";
import { formatDuration, formatFields, formatTable, joinLines, orDash, shortTime } from "./text.ts";
import { ask, verb } from "./verb.ts";

const linesMax = 10;

export function digestText({ ready, total, needs, waits }: DigestAnswer): string {
  const state = ready ? "Ready" : "NOT READY";
  const [wait] = waits;
  const due = wait === undefined ? "" : ` ${wait.waiting}${wait.more ? "+" : ""} due messages wait: ${wait.reason}.`;
  const head =
    total === 0 ? `${state}: nothing needs a look.${due}` : `${state}: ${counted(total, "thing")} to look at.${due}`;
  const room = total > linesMax - 1 ? linesMax - 2 : linesMax - 1;
  const shown = needs.slice(0, room).map(({ severity, what, why, solve, page }) => {
    const cause = why === null || why === "" ? "" : ` (${why})`;
    return `${severity === "note" ? "-" : "!"} ${what}${cause} -> ${solve ?? page}`.replaceAll(/\s+/g, " ");
  });
  const rest = total - shown.length;
  return joinLines([head, ...shown, ...(rest > 0 ? [`and ${rest} more: peyk status`] : [])]);
}

export function statusCommand(io: CliIo) {
  const words = {
    does: "show the state of the running service, with warnings",
    examples: ["peyk status", "peyk status --digest"],
  };
  return verb("status", words)
    .option("--digest", "only what needs a look, why, and the command or page that solves it, in ten lines")
    .action(({ digest, ...options }) =>
      digest === true
        ? ask(io, options, (api) => api("GET /digest"), digestText)
        : ask(
            io,
            options,
            (api) => api("GET /status"),
            (status) => statusText(status, paintFor(io)),
          ),
    );
}

/** Only while an upgrade is still processing older messages. */
function preparedRows({ reports: { counted, indexed } }: StatusAnswer): [string, string][] {
  const percent = (share: number) => `${Math.floor(share * 100)} %`;
  return [
    ...(counted < 1 ? [["Figures", `${percent(counted)} of the older messages are counted`] as [string, string]] : []),
    ...(indexed < 1 ? [["Search", `${percent(indexed)} of the messages are indexed`] as [string, string]] : []),
  ];
}

function alertsRow({ alerts }: StatusAnswer): string {
  return alerts.length === 0 ? "none" : `${counted(alerts.length, "alert")}: peyk alert list`;
}

function smppRows({ smppServer }: StatusAnswer): [string, string][] {
  if (smppServer === null) return [];
  const { credentials, active, binds, waiting, waitingMore, oldestWaitingAt } = smppServer;
  const bound = `${credentials} of ${counted(active, "active credential")} bound, by ${counted(binds, "bind")}`;
  const waits = `${waiting}${waitingMore ? "+" : ""} to be acknowledged, the oldest since ${shortTime(oldestWaitingAt)}`;
  return [["Customers by SMPP", waiting === 0 ? bound : `${bound}; ${waits}`]];
}

function memoryRows({ memory }: StatusAnswer): [string, string][] {
  if (memory === null) return [];
  const { anonymousBytes, fileBytes } = memory;
  return [["Memory", `${sizeText(anonymousBytes)}, and ${sizeText(fileBytes)} of files that the kernel can drop`]];
}

const tones: Readonly<Record<string, Colour>> = {
  ready: "good",
  up: "good",
  draining: "warning",
  disabled: "quiet",
  DOWN: "bad",
  "NOT READY": "bad",
};

function statusText(status: StatusAnswer, paint: Paint): string {
  /** A state is coloured where states stand: a route may have any name. */
  const stateIn = (column: number) => (cell: string, at: number) => {
    const tone = at === column ? tones[cell] : undefined;
    return tone === undefined ? cell : paint(tone, cell);
  };
  const routes = status.routes.map((route) => [
    route.name,
    route.kind,
    routeStateText(route),
    String(route.unanswered),
    orDash(route.lastError),
  ]);
  const queue = status.queue.map((depth) => [
    depth.class,
    `${depth.waiting}${depth.more ? "+" : ""}`,
    shortTime(depth.oldestDueAt),
  ]);
  const waits = status.waits.map(({ reason, waiting, more }) => [`${waiting}${more ? "+" : ""}`, reason]);
  return [
    ...(status.warnings.length === 0
      ? []
      : [
          joinLines(
            status.warnings.map((warning) => `! ${warning}`),
            (line) => paint("warning", line),
          ),
        ]),
    formatFields(
      [
        ["Peyk", status.version],
        ["State", status.ready ? "ready" : "NOT READY"],
        ["Up for", formatDuration(status.uptimeSeconds)],
        ["Public API", status.listen],
        ["Console", status.consoleListen],
        ...(status.portalListen === null ? [] : [["Portal", status.portalListen] as const]),
        ...(status.dropInListen === null ? [] : [["Drop-in", status.dropInListen] as const]),
        ...(status.smtpListen.length === 0 ? [] : [["Mail", `ports ${status.smtpListen.join(", ")}`] as const]),
        ["Data folder", status.dataDir],
        ["Accounts", String(status.accounts)],
        ["Credentials", `${status.credentials} active`],
        ["Alerts", alertsRow(status)],
        ...smppRows(status),
        ["Newest backup", shortTime(status.backup.newestAt)],
        ...memoryRows(status),
        ...preparedRows(status),
      ],
      stateIn(1),
    ),
    formatTable(["ROUTE", "KIND", "STATE", "UNANSWERED", "LAST ERROR"], routes, stateIn(2)),
    formatTable(["QUEUE", "WAITING", "OLDEST DUE"], queue),
    ...(waits.length === 0 ? [] : [formatTable(["DUE", "WAITS"], waits)]),
  ].join("\n");
}
