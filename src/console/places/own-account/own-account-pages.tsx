/** A customer's own account, at the portal. */
import { accountIdText } from "../../../domain/id-text.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import { Notice } from "../../components/blocks.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import { postedTexts, shownTexts, typedValues } from "../../page/declared-form.ts";
import { listBeginning, rangeOf, shownPart } from "../../page/list-part.ts";
import { mergedEdit, openedWith } from "../../page/merged-edit.ts";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { refusedFields } from "../../page/refusal.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { OwnAccountPage, QuietHoursPage, type QuietHoursView, quietFields } from "./own-account.tsx";
import { ownAccountWords } from "./words.ts";

export interface OwnAccountPagesDeps {
  defaults: ServiceDefaults;
  /** Whether the settings allow customers to change their quiet hours. */
  ownQuietHours: boolean;
}

/** Enough to recognise them all in most accounts. */
const sendersShown = { ...listBeginning, rows: 20 };

async function show(call: PageCall, { defaults, ownQuietHours }: OwnAccountPagesDeps): Promise<PageAnswer> {
  const { api, viewer, shell } = call;
  if (viewer.accountId === null) return redirect("/accounts");
  const id = accountIdText(viewer.accountId);
  const [account, quotas, senders] = await Promise.all([
    namedAccount(api, id),
    api("GET /quotas/:of", { of: id }),
    api("GET /senders", { ...rangeOf(sendersShown), account: id }),
  ]);
  const part = shownPart(senders, sendersShown);
  const view = { account, quotas, senders: part, inherited: defaults.account, mayChangeQuietHours: ownQuietHours };
  return document(<OwnAccountPage shell={shell("account")} view={view} />);
}

/** @throws OperatorError where the reader may not change them */
function ownId({ viewer }: PageCall, { ownQuietHours }: OwnAccountPagesDeps): string {
  if (viewer.accountId === null || !ownQuietHours) throw new OperatorError("not_found");
  return accountIdText(viewer.accountId);
}

async function textsNow(call: PageCall, id: string): Promise<QuietHoursView["texts"]> {
  return shownTexts(quietFields, await namedAccount(call.api, id), call.locale);
}

async function form(
  call: PageCall,
  deps: OwnAccountPagesDeps,
  typed?: { texts: QuietHoursView["texts"]; errors: FieldErrors },
) {
  const now = await textsNow(call, ownId(call, deps));
  const view = { texts: now, errors: {}, ...typed, opened: openedWith(now), inherited: deps.defaults.account };
  return <QuietHoursPage shell={call.shell("account")} view={view} />;
}

async function save(call: PageCall, deps: OwnAccountPagesDeps): Promise<PageAnswer> {
  const { api, locale } = call;
  const id = ownId(call, deps);
  const now = await textsNow(call, id);
  const edit = { opened: call.form.raw("opened"), typed: postedTexts(quietFields, call.form, now), now };
  const { fields: texts, errors } = mergedEdit(edit, locale.words);
  if (Object.keys(errors).length > 0) return formAgain(await form(call, deps, { texts, errors }));
  try {
    await api("PUT /accounts/:id/quiet-hours", { id, ...typedValues(quietFields, texts, locale) });
    return redirect("/account", <Notice tone="ok">{ownAccountWords[locale.language].saved}</Notice>);
  } catch (reason) {
    return formAgain(await form(call, deps, { texts, errors: refusedFields(reason, locale) }));
  }
}

export function ownAccountPages(deps: OwnAccountPagesDeps) {
  const action = "quiet-hours.change";
  const path = "/account/quiet-hours";
  return [
    page({ method: "GET", path: "/account", action: "usage.read", answer: (call) => show(call, deps) }),
    page({ method: "GET", path, action, answer: async (call) => document(await form(call, deps)) }),
    page({ method: "POST", path, action, answer: (call) => save(call, deps) }),
  ];
}
