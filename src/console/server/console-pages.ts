/** Every page and action of the console and the portal. How to add one stands at the head of `page.ts`. */

import { accountsPages } from "./accounts-pages.tsx";
import { alertsPages } from "./alerts-pages.tsx";
import { approvedPages, type FileImportPagesDeps } from "./approved-pages.tsx";
import { auditPages } from "./audit-pages.tsx";
import { backupsPages } from "./backups-pages.tsx";
import { beginPages } from "./begin-pages.tsx";
import { bulkPages } from "./bulk-pages.tsx";
import { callbacksPages } from "./callbacks-pages.tsx";
import { inboundPages } from "./inbound-pages.tsx";
import { keptFormPages } from "./kept-form-pages.tsx";
import type { KeptForms } from "./kept-forms.ts";
import { type KeysPagesDeps, keysPages } from "./keys-pages.tsx";
import type { MessageEvents } from "./message-events.tsx";
import { messagesPages } from "./messages-pages.tsx";
import type { NowEvents } from "./now-events.tsx";
import { nowPages } from "./now-pages.tsx";
import type { ConsolePage, OpenPage } from "./page.ts";
import { PageTable } from "./page-table.ts";
import { plansPages } from "./plans-pages.tsx";
import { pricesPages } from "./prices-pages.tsx";
import { reportsPages } from "./reports-pages.tsx";
import { routesPages } from "./routes-pages.tsx";
import { secondFactorPages } from "./second-factor-pages.tsx";
import { type SendPagesDeps, sendPages } from "./send-pages.tsx";
import { settingsPages } from "./settings-pages.tsx";
import { setupPages } from "./setup-pages.tsx";
import { signInPages } from "./sign-in-pages.tsx";
import { suppressionPages } from "./suppression-pages.tsx";
import { systemPages } from "./system-pages.tsx";
import type { UserPagesDeps } from "./user-pages-deps.ts";
import { usersPages } from "./users-pages.tsx";

export interface ConsolePagesDeps extends UserPagesDeps, SendPagesDeps, KeysPagesDeps, FileImportPagesDeps {
  now: NowEvents;
  keptForms: KeptForms;
  messageEvents: MessageEvents;
}

export function consolePages(deps: ConsolePagesDeps): readonly (ConsolePage | OpenPage)[] {
  const pages = [
    ...signInPages(deps),
    ...setupPages(deps),
    ...secondFactorPages(deps),
    ...settingsPages(deps),
    ...nowPages(deps.now),
    ...messagesPages(deps.messageEvents),
    ...bulkPages,
    ...sendPages(deps),
    ...accountsPages(deps),
    ...keysPages(deps),
    ...approvedPages(deps),
    ...routesPages,
    ...callbacksPages,
    ...inboundPages,
    ...reportsPages,
    ...beginPages(deps),
    ...systemPages,
    ...backupsPages,
    ...alertsPages,
    ...plansPages,
    ...pricesPages,
    ...suppressionPages(deps),
    ...usersPages,
    ...auditPages,
  ];
  return [...pages, ...keptFormPages(deps, new PageTable(pages))];
}
