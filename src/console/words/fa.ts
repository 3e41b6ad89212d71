/** Every word of the console in Persian. */
import type { Words } from "./en.ts";
import * as account from "./fa/account.ts";
import * as callbacks from "./fa/callbacks.ts";
import * as common from "./fa/common.ts";
import * as messages from "./fa/messages.ts";
import * as now from "./fa/now.ts";
import * as reports from "./fa/reports.ts";
import * as route from "./fa/route.ts";
import * as send from "./fa/send.ts";
import * as signIn from "./fa/sign-in.ts";

export const fa: Words = {
  brand: "پیک",
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
