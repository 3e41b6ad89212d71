/** `peyk audit list`: who changed what, from where and when. */
import type { AuditAnswer } from "../operator/audit.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json-text.ts";
import { searchAll } from "./search.ts";
import { formatTable, shortTime } from "./text.ts";
import { timeHelp, timeText } from "./time.ts";
import { oneWordOf, wholeNumber } from "./values.ts";
import { connect, noun, print, verb } from "./verb.ts";

const outcomes = ["done", "refused", "begun"] as const satisfies readonly AuditAnswer["outcome"][];

export function auditCommand(io: CliIo) {
  return noun("audit", "who changed what, from where and when").addCommand(list(io));
}

function list(io: CliIo) {
  const words = {
    does: "list changes, newest first; every given option must match. --json tells before and after whole",
    examples: [
      "peyk audit list --from yesterday",
      "peyk audit list --action key --target key_7",
      "peyk audit list --actor sara --outcome refused --json",
    ],
  };
  return verb("list", words)
    .option("--actor <user>", "only what this user did")
    .option("--action <action>", "such as route.update, or its first word: route")
    .option("--target <name>", "only what was done to this, as listed: acc_1, key_7, a route's name")
    .option("--outcome <outcome>", `${outcomes.join(", ")}; begun: the service ended before it could say more`)
    .option("--from <date>", `at or after this ${timeHelp}`)
    .option("--to <date>", "before this time")
    .option("--limit <n>", "at most this many, 1 to 10000", "50")
    .action(async ({ actor, action, target, outcome, from, to, limit, ...options }) => {
      const api = connect(io, options);
      const query = {
        ...(actor !== undefined && { actor }),
        ...(action !== undefined && { action }),
        ...(target !== undefined && { target }),
        ...(outcome !== undefined && { outcome: oneWordOf("--outcome", outcomes, outcome) }),
        ...(from !== undefined && { from: timeText("--from", from) }),
        ...(to !== undefined && { to: timeText("--to", to) }),
      };
      const found = await searchAll(wholeNumber("--limit", limit, 1, 10_000), (page) =>
        api("GET /audit", { ...query, ...page }).then(({ entries: messages, nextCursor }) => ({
          messages,
          nextCursor,
        })),
      );
      print(io, options, found, auditTable);
    });
}

function auditTable(entries: readonly AuditAnswer[]): string {
  if (entries.length === 0) return "No change matches.\n";
  const rows = entries.map((entry) => [
    shortTime(entry.at),
    entry.actor,
    entry.origin,
    entry.action,
    entry.target,
    entry.error === null ? entry.outcome : `${entry.outcome}: ${entry.error}`,
    changeText(entry),
  ]);
  return formatTable(["TIME", "WHO", "FROM", "ACTION", "TARGET", "OUTCOME", "CHANGE"], rows);
}

const valueWidthMax = 60;

function valueText(value: unknown): string {
  const text = value === undefined ? "-" : jsonText(value);
  return text.length > valueWidthMax ? `${text.slice(0, valueWidthMax)}…` : text;
}

/** `status: "active" -> "suspended"`; for something created or removed, the target alone. */
function changeText({ before, after }: AuditAnswer): string {
  if (before === null || after === null) return "";
  return Object.keys({ ...before, ...after })
    .map((key) => `${key}: ${valueText(before[key])} -> ${valueText(after[key])}`)
    .join(", ");
}
