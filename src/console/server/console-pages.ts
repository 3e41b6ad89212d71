/** Every page and action of the console and the portal. The comment at the top of `page.ts` says how to add one. */

import type { SavedForms } from "../forms/saved-forms.ts";
import { choicesPages } from "../page/choices-pages.tsx";
import type { FileImportPagesDeps } from "../page/import-pages.tsx";
import type { UserPagesDeps } from "../page/own-changes.ts";
import type { ConsolePage, OpenPage } from "../page/page.ts";
import { accountsPages } from "../places/accounts/accounts-pages.tsx";
import { alertsPages } from "../places/alerts/alerts-pages.tsx";
import { approvedPages } from "../places/approvals/approvals-pages.tsx";
import { auditPages } from "../places/audit/audit.tsx";
import { beginPages } from "../places/begin/begin.tsx";
import { callbacksPages } from "../places/callbacks/callbacks-pages.tsx";
import { campaignsPages } from "../places/campaigns/campaigns-pages.tsx";
import { colleaguesPages } from "../places/colleagues/colleagues-pages.tsx";
import { conversationPages } from "../places/conversation/conversation.tsx";
import { credentialsPages } from "../places/credentials/credentials-pages.tsx";
import { errorsPages } from "../places/errors/errors-pages.tsx";
import { firstPages } from "../places/first/first-pages.tsx";
import { helpPages } from "../places/help/help-pages.tsx";
import { inboundPages } from "../places/inbound/inbound-pages.tsx";
import { intakesPages } from "../places/intakes/intakes-pages.tsx";
import { type KeysPagesDeps, keysPages } from "../places/keys/keys-pages.tsx";
import { bulkPages } from "../places/messages/bulk-pages.tsx";
import type { MessageEvents } from "../places/messages/message-events.tsx";
import { messagesPages } from "../places/messages/messages-pages.tsx";
import { moneyPages } from "../places/money/money-pages.tsx";
import type { NowEvents } from "../places/now/now-events.tsx";
import { nowPages } from "../places/now/now-pages.tsx";
import { askingPages } from "../places/own-account/asking-pages.tsx";
import { type OwnAccountPagesDeps, ownAccountPages } from "../places/own-account/own-account-pages.tsx";
import { palettePages } from "../places/palette/palette-pages.tsx";
import type { Addresses } from "../places/palette/palette-view.ts";
import { plansPages } from "../places/plans/plans-pages.tsx";
import { priceImportPages } from "../places/prices/price-import.tsx";
import { pricesPages } from "../places/prices/prices-pages.tsx";
import { reportsPages } from "../places/reports/reports-pages.tsx";
import { routesPages } from "../places/routes/routes-pages.tsx";
import { type SendPagesDeps, sendPages } from "../places/send/send-pages.tsx";
import { passkeysPages } from "../places/settings/passkeys-pages.tsx";
import { secondFactorPages } from "../places/settings/second-factor-pages.tsx";
import { settingsPages } from "../places/settings/settings-pages.tsx";
import { type TokensPagesDeps, tokensPages } from "../places/settings/tokens-pages.tsx";
import { enterPages } from "../places/sign-in/enter-pages.tsx";
import { providerPages } from "../places/sign-in/provider-pages.tsx";
import { setupPages } from "../places/sign-in/setup-pages.tsx";
import { signInPages } from "../places/sign-in/sign-in-pages.tsx";
import { suppressionPages } from "../places/suppression/suppression-pages.tsx";
import { backupsPages, systemPages } from "../places/system/system-pages.tsx";
import { usersPages } from "../places/users/users-pages.tsx";
import { PageTable } from "./page-table.ts";
import { savedFormPages } from "./saved-form-pages.tsx";

export interface ConsolePagesDeps
  extends UserPagesDeps,
    SendPagesDeps,
    KeysPagesDeps,
    OwnAccountPagesDeps,
    TokensPagesDeps,
    FileImportPagesDeps {
  now: NowEvents;
  savedForms: SavedForms;
  messageEvents: MessageEvents;
}

export function consolePages(deps: ConsolePagesDeps): readonly (ConsolePage | OpenPage)[] {
  const pages = [
    ...signInPages(deps),
    ...providerPages(deps),
    ...setupPages(deps),
    ...enterPages(deps),
    ...secondFactorPages(deps),
    ...settingsPages(deps),
    ...passkeysPages(deps),
    ...tokensPages(deps),
    ...nowPages(deps.now),
    ...firstPages(deps),
    ...messagesPages(deps.messageEvents),
    ...bulkPages,
    ...campaignsPages,
    ...sendPages(deps),
    ...accountsPages(deps),
    ...keysPages(deps),
    ...credentialsPages,
    ...approvedPages(deps),
    ...routesPages,
    ...callbacksPages,
    ...errorsPages,
    ...colleaguesPages,
    ...askingPages,
    ...inboundPages,
    ...conversationPages,
    ...intakesPages,
    ...reportsPages,
    ...moneyPages,
    ...ownAccountPages(deps),
    ...beginPages(deps),
    ...systemPages,
    ...helpPages,
    ...backupsPages,
    ...alertsPages,
    ...plansPages,
    ...priceImportPages(deps),
    ...pricesPages,
    ...suppressionPages(deps),
    ...usersPages,
    ...auditPages,
    ...choicesPages,
  ];
  const table = new PageTable(pages);
  return [...pages, ...savedFormPages(deps, table), ...palettePages(addressesIn(table))];
}

/** Pages that a link leads to. */
const addressesIn = (table: PageTable): Addresses => ({
  pageAt(path) {
    const found = table.find("GET", path);
    if (found === null || found === "wrongMethod" || !("action" in found.page)) return null;
    return { page: found.page.path, action: found.page.action, params: found.params };
  },
});
