/** Every word of the console in Persian. */
import type { Words } from "./en.ts";
import { faAccount } from "./fa/account.ts";
import { faApproved } from "./fa/approved.ts";
import { faCallbacks } from "./fa/callbacks.ts";
import { faCommon } from "./fa/common.ts";
import { faFields } from "./fa/fields.ts";
import { faInbound } from "./fa/inbound.ts";
import { faKeyboard } from "./fa/keyboard.ts";
import { faMessages } from "./fa/messages.ts";
import { faNow } from "./fa/now.ts";
import { faOverview } from "./fa/overview.ts";
import { faPlans } from "./fa/plans.ts";
import { faReports } from "./fa/reports.ts";
import { faRoute } from "./fa/route.ts";
import { faSend } from "./fa/send.ts";
import { faService } from "./fa/service.ts";
import { faSettings } from "./fa/settings.ts";
import { faSetup } from "./fa/setup.ts";
import { faSignIn } from "./fa/sign-in.ts";
import { faSystem } from "./fa/system.ts";
import { faUsers } from "./fa/users.ts";

export const fa: Words = {
  brand: "پیک",
  ...faCommon,
  ...faNow,
  ...faInbound,
  ...faMessages,
  ...faSend,
  ...faAccount,
  ...faFields,
  ...faRoute,
  ...faApproved,
  ...faCallbacks,
  ...faOverview,
  ...faPlans,
  ...faReports,
  ...faSignIn,
  ...faSetup,
  ...faService,
  ...faSettings,
  ...faKeyboard,
  ...faSystem,
  ...faUsers,
  ...faSystem,
};
