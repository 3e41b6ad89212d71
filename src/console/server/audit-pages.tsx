/** The audit, for owners and operators. */
import { auditOutcomes } from "../../store/audit.ts";
import { AuditPage, type AuditView } from "../pages/audit.tsx";
import { document, type PageAnswer, type PageCall, page } from "./page.ts";

export const auditPages = [page({ method: "GET", path: "/audit", action: "audit.read", answer: showAudit })];

const filterNames = ["actor", "action", "target", "outcome"] as const;

async function showAudit({ api, query, shell }: PageCall): Promise<PageAnswer> {
  const filter = { actor: "", action: "", target: "", outcome: "" };
  for (const name of filterNames) filter[name] = query.get(name)?.trim().slice(0, 200) ?? "";
  const { actor, action, target } = filter;
  const outcome = auditOutcomes.find((one) => one === filter.outcome);
  const cursor = query.get("before");
  const { entries, nextCursor } = await api("GET /audit", {
    ...(actor !== "" && { actor }),
    ...(action !== "" && { action }),
    ...(target !== "" && { target }),
    ...(outcome !== undefined && { outcome }),
    ...(cursor !== null && { cursor }),
  });
  const view: AuditView = { filter, entries, older: nextCursor === null ? null : olderThan(nextCursor, filter) };
  return document(<AuditPage shell={shell("system")} view={view} />);
}

function olderThan(cursor: string, filter: AuditView["filter"]): string {
  const given = Object.entries(filter).filter(([, value]) => value !== "");
  return `/audit?${new URLSearchParams([...given, ["before", cursor]])}`;
}
