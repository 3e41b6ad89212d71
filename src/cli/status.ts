/** `peyk status`: the running service's state, with warnings. */
import { counted } from "../domain/counted.ts";
import { sizeText } from "../domain/size-text.ts";
import type { StatusAnswer } from "../operator/status.ts";
import type { CliIo } from "./io.ts";
import { routeStateText } from "./route.ts";
import { formatDuration, formatFields, formatTable, joinLines, orDash, shortTime } from "./text.ts";
import { ask, verb } from "./verb.ts";

export function statusCommand(io: CliIo) {
  const words = { does: "show the state of the running service, with warnings", examples: ["peyk status"] };
  return verb("status", words).action((options) => ask(io, options, (api) => api("GET /status"), statusText));
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
  const { credentials, binds, waiting, waitingMore, oldestWaitingAt } = smppServer;
  const bound = `${counted(binds, "bind")} of ${counted(credentials, "credential")}`;
  const waits = `${waiting}${waitingMore ? "+" : ""} to be acknowledged, the oldest since ${shortTime(oldestWaitingAt)}`;
  return [["Customers by SMPP", waiting === 0 ? bound : `${bound}; ${waits}`]];
}

function memoryRows({ memory }: StatusAnswer): [string, string][] {
  if (memory === null) return [];
  const { anonymousBytes, fileBytes } = memory;
  return [["Memory", `${sizeText(anonymousBytes)}, and ${sizeText(fileBytes)} of files that the kernel can drop`]];
}

function statusText(status: StatusAnswer): string {
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
    ...(status.warnings.length === 0 ? [] : [joinLines(status.warnings.map((warning) => `! ${warning}`))]),
    formatFields([
      ["Peyk", status.version],
      ["State", status.ready ? "ready" : "NOT READY"],
      ["Up for", formatDuration(status.uptimeSeconds)],
      ["Public API", status.listen],
      ["Console", status.consoleListen],
      ...(status.portalListen === null ? [] : [["Portal", status.portalListen] as const]),
      ...(status.dropInListen === null ? [] : [["Drop-in", status.dropInListen] as const]),
      ["Data folder", status.dataDir],
      ["Accounts", String(status.accounts)],
      ["Alerts", alertsRow(status)],
      ...smppRows(status),
      ["Newest backup", shortTime(status.backup.newestAt)],
      ...memoryRows(status),
      ...preparedRows(status),
    ]),
    formatTable(["ROUTE", "KIND", "STATE", "UNANSWERED", "LAST ERROR"], routes),
    formatTable(["QUEUE", "WAITING", "OLDEST DUE"], queue),
    ...(waits.length === 0 ? [] : [formatTable(["DUE", "WAITS"], waits)]),
  ].join("\n");
}
