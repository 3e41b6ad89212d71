/** Every page and action of the console and the portal. How to add one stands at the head of `page.ts`. */
import { callbacksPages } from "./callbacks-pages.tsx";
import { inboundPages } from "./inbound-pages.tsx";
import { messagesPages } from "./messages-pages.tsx";
import type { NowEvents } from "./now-events.tsx";
import { nowPages } from "./now-pages.tsx";
import type { ConsolePage, OpenPage } from "./page.ts";
import { reportsPages } from "./reports-pages.tsx";
import { type SendPagesDeps, sendPages } from "./send-pages.tsx";
import { setupPages } from "./setup-pages.tsx";
import { type SignInDeps, signInPages } from "./sign-in-pages.tsx";

export interface ConsolePagesDeps extends SignInDeps, SendPagesDeps {
  now: NowEvents;
}

export function consolePages(deps: ConsolePagesDeps): readonly (ConsolePage | OpenPage)[] {
  return [
    ...signInPages(deps),
    ...setupPages(deps),
    ...nowPages(deps.now),
    ...messagesPages,
    ...sendPages(deps),
    ...callbacksPages,
    ...inboundPages,
    ...reportsPages,
  ];
}
