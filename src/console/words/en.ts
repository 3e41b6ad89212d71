/** Every word of the console in English, and by its type what another language has to give. */
import * as account from "./en/account.ts";
import * as callbacks from "./en/callbacks.ts";
import * as common from "./en/common.ts";
import * as messages from "./en/messages.ts";
import * as now from "./en/now.ts";
import * as reports from "./en/reports.ts";
import * as route from "./en/route.ts";
import * as send from "./en/send.ts";
import * as signIn from "./en/sign-in.ts";

export const en = {
  brand: "Peyk",
  ...common,
  ...now,
  ...messages,
  ...send,
  ...account,
  ...route,
  ...callbacks,
  ...reports,
  ...signIn,
};

export type Words = typeof en;
