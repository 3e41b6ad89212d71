/** Patterns, groups with their imports, and pending approvals. */
import type { FileImportPagesDeps } from "../../page/import-pages.tsx";
import { askedList } from "../../page/list-part.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { ApprovalsPage } from "./decisions.tsx";
import { groupsPages } from "./groups-pages.tsx";
import { patternsPages } from "./patterns-pages.tsx";

const { shown } = usualPages("approvals", { read: "groups.approve", change: "groups.approve" });

export const approvedPages = (deps: FileImportPagesDeps) => [
  ...patternsPages,
  ...groupsPages(deps),
  shown("/approvals", async ({ api, query }) => {
    const { rows } = await api("GET /sender-requests");
    return <ApprovalsPage waiting={await askedList(query, (range) => api("GET /approvals", range))} senders={rows} />;
  }),
];
