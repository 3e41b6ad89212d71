/** `peyk audit list`: who changed what, from where and when. */

import type { AuditAnswer } from "../operator/audit.ts";
import { calls, noun, preset, time, typed, whole, wordOf } from "./declared.ts";
import { jsonText } from "./json-text.ts";
import { searchAll } from "./search.ts";
import { shortTime, tableOf } from "./text.ts";

const outcomes = ["done", "refused", "begun"] as const satisfies readonly AuditAnswer["outcome"][];

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

const auditTable = tableOf<AuditAnswer>("No change matches.", {
  TIME: ({ at }) => shortTime(at),
  WHO: "actor",
  FROM: "origin",
  ACTION: "action",
  TARGET: "target",
  OUTCOME: ({ outcome, error }) => (error === null ? outcome : `${outcome}: ${error}`),
  CHANGE: changeText,
});

export const auditCommand = noun("audit", "who changed what, from where and when", {
  list: calls({
    does: "list changes, newest first; every given option must match. --json tells before and after whole",
    examples: [
      "peyk audit list --from yesterday",
      "peyk audit list --action key --target key_7",
      "peyk audit list --actor sara --outcome refused --json",
    ],
    options: {
      actor: typed("actor <user>", "only what this user did"),
      action: typed("action <action>", "such as route.update, or its first word: route"),
      target: typed("target <name>", "only what was done to this, as listed: acc_1, key_7, a route's name"),
      outcome: wordOf(
        "outcome <outcome>",
        outcomes,
        `${outcomes.join(", ")}; begun: the service ended before it could say more`,
      ),
      from: time("from <date>", "at or after this date"),
      to: time("to <date>", "before this time"),
      limit: preset(whole("limit <n>", "at most this many, 1 to 10000", 1, 10_000), "50"),
    },
    call: (api, { limit, ...query }) =>
      searchAll(limit, async (page) => {
        const { entries: messages, nextCursor } = await api("GET /audit", { ...query, ...page });
        return { messages, nextCursor };
      }),
    text: auditTable,
  }),
});
