/** `/digest`: what needs a look now, why, and the command or page that solves it. */
import { conditionPages } from "./condition-pages.ts";
import type { OperatorDeps } from "./deps.ts";
import { reads } from "./operation.ts";
import { conditionWarning, type StatusAnswer, statusAnswer } from "./status.ts";

export interface Need {
  /** `critical` and `warning` as of alerts; `note`: nothing is wrong yet. */
  severity: "critical" | "warning" | "note";
  what: string;
  /** Null where `what` says it. */
  why: string | null;
  /** A command, or a sentence that names one; null where the page is all. */
  solve: string | null;
  page: string;
}

/** More are counted, but not listed. */
const needsMax = 50;

export type DigestAnswer = ReturnType<typeof digestOf>;

export const digestAdmin = {
  "GET /digest": reads({
    may: "status.read",
    run: async (deps: OperatorDeps) => digestOf(await statusAnswer(deps), deps.facts.consoleUrl),
  }),
};

function digestOf(status: StatusAnswer, consoleUrl: string) {
  const told = new Set(status.conditions.map(conditionWarning));
  const others = status.warnings.filter((warning) => !told.has(warning));
  const needs = [
    ...others.filter(isNotReady).map((warning) => warningNeed(warning, "critical")),
    ...status.conditions.map((condition) => conditionNeed(condition, status)),
    ...others.filter((warning) => !isNotReady(warning)).map((warning) => warningNeed(warning, "note")),
  ];
  const order = ["critical", "warning", "note"];
  const sorted = needs.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return {
    ready: status.ready,
    /** Messages that are due and wait, the most frequent reason first. */
    waits: status.waits,
    total: sorted.length,
    needs: sorted.slice(0, needsMax).map(({ page, ...need }) => ({ ...need, page: consoleUrl + page })),
  };
}

const isNotReady = (warning: string) => warning.startsWith("NOT READY");

function conditionNeed(
  { code, subject, severity, words, todo }: StatusAnswer["conditions"][number],
  { routes }: StatusAnswer,
): Need {
  const route = routes.find(({ name }) => name === subject);
  const pages: Readonly<Record<string, string>> = conditionPages;
  const page = route === undefined ? (pages[code] ?? "/alerts") : `/routes/${encodeURIComponent(route.name)}`;
  return {
    severity: severity === "page" ? "critical" : "warning",
    what: words,
    why: route?.lastError ?? null,
    solve: todo,
    page,
  };
}

function warningNeed(warning: string, severity: Need["severity"]): Need {
  const [, route] = /^Route (\S+)[: ]/.exec(warning) ?? [];
  return {
    severity,
    ...partsOf(warning),
    why: null,
    page: route === undefined ? "/" : `/routes/${encodeURIComponent(route)}`,
  };
}

const beforeCommand = ": peyk ";

/** `… See: peyk webhook deliveries ID`, where it ends so. */
function partsOf(warning: string): Pick<Need, "what" | "solve"> {
  const at = warning.lastIndexOf(beforeCommand);
  const sentences = warning.slice(0, Math.max(at, 0));
  const end = Math.max(sentences.lastIndexOf(". "), sentences.lastIndexOf("; "));
  if (at < 0 || end < 0) return { what: warning, solve: null };
  return { what: warning.slice(0, end + 1), solve: warning.slice(at + ": ".length) };
}
