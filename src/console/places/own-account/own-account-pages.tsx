/** A customer's own account, at the portal. */
import { accountIdText } from "../../../domain/id-text.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import { mergedTexts, shownTexts, typedValues } from "../../page/declared-form.ts";
import { listBeginning, rangeOf, shownPart } from "../../page/list-part.ts";
import { openedWith } from "../../page/merged-edit.ts";
import { type PageCall, redirect } from "../../page/page.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { OwnAccountPage, QuietHoursPage, quietFields } from "./own-account.tsx";
import { ownAccountWords } from "./words.ts";

export interface OwnAccountPagesDeps {
  defaults: ServiceDefaults;
  /** Whether the settings allow customers to change their quiet hours. */
  ownQuietHours: boolean;
}

const { shown, form } = usualPages("account", { read: "usage.read", change: "quiet-hours.change" });

/** Enough to recognise them all in most accounts. */
const sendersShown = { ...listBeginning, rows: 20 };

async function ownAccount({ api, viewer }: PageCall, { defaults, ownQuietHours }: OwnAccountPagesDeps) {
  if (viewer.accountId === null) return redirect("/accounts");
  const id = accountIdText(viewer.accountId);
  const [account, quotas, found] = await Promise.all([
    namedAccount(api, id),
    api("GET /quotas/:of", { of: id }),
    api("GET /senders", { ...rangeOf(sendersShown), account: id }),
  ]);
  const senders = shownPart(found, sendersShown);
  const inherited = defaults.account;
  return <OwnAccountPage {...{ account, quotas, senders, inherited }} mayChangeQuietHours={ownQuietHours} />;
}

export const ownAccountPages = (deps: OwnAccountPagesDeps) => [
  shown("/account", (call) => ownAccount(call, deps)),
  ...form("/account/quiet-hours", {
    async load({ api, viewer, locale }) {
      if (viewer.accountId === null || !deps.ownQuietHours) throw new OperatorError("not_found");
      const id = accountIdText(viewer.accountId);
      const now = shownTexts(quietFields, await namedAccount(api, id), locale);
      return { id, now, texts: now, opened: openedWith(now), inherited: deps.defaults.account };
    },
    View: QuietHoursPage,
    typed: (call, { now }) => mergedTexts(quietFields, call, now),
    async run({ api, locale }, { id, texts }) {
      await api("PUT /accounts/:id/quiet-hours", { id, ...typedValues(quietFields, texts, locale) });
      return done("/account", ownAccountWords[locale.language].saved);
    },
  }),
];
