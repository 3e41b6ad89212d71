/** An account's errors, at the portal and for the people who run the service. */

import { accountIdText } from "../../../domain/id-text.ts";
import type { WayIn } from "../../../messaging/refusals/refused-requests.ts";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import { type PageCall, redirect } from "../../page/page.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { ErrorsPage, wayNames } from "./errors.tsx";

const { shown } = usualPages(({ accountId }) => (accountId === null ? "accounts" : "errors"), {
  read: "usage.read",
  change: "usage.read",
});

const isWay = (text: string | null): text is WayIn => text !== null && text in wayNames;

const filterOf = ({ query }: PageCall) => {
  const way = query.get("way");
  return { way: isWay(way) ? way : null, by: query.get("by") };
};

export const errorsPages = [
  shown("/errors", async (call) => {
    const { api, viewer } = call;
    if (viewer.accountId === null) return redirect("/accounts");
    const errors = await api("GET /accounts/:id/errors", { id: accountIdText(viewer.accountId) });
    return <ErrorsPage errors={errors} account={null} {...filterOf(call)} />;
  }),
  shown(
    "/accounts/:id/errors",
    async (call) => {
      const { id, name } = await namedAccount(call.api, call.params.id);
      const errors = await call.api("GET /accounts/:id/errors", { id });
      return <ErrorsPage errors={errors} account={{ id, name }} {...filterOf(call)} />;
    },
    "accounts.read",
  ),
];
