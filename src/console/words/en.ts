/** Every word of the console in English, and by its type what another language has to give. */
import { enAccount } from "./en/account.ts";
import { enApproved } from "./en/approved.ts";
import { enCallbacks } from "./en/callbacks.ts";
import { enCommon } from "./en/common.ts";
import { enFields } from "./en/fields.ts";
import { enInbound } from "./en/inbound.ts";
import { enKeyboard } from "./en/keyboard.ts";
import { enMessages } from "./en/messages.ts";
import { enNow } from "./en/now.ts";
import { enOverview } from "./en/overview.ts";
import { enPlans } from "./en/plans.ts";
import { enReports } from "./en/reports.ts";
import { enRoute } from "./en/route.ts";
import { enSend } from "./en/send.ts";
import { enService } from "./en/service.ts";
import { enSettings } from "./en/settings.ts";
import { enSetup } from "./en/setup.ts";
import { enSignIn } from "./en/sign-in.ts";
import { enSystem } from "./en/system.ts";
import { enUsers } from "./en/users.ts";

export const en = {
  brand: "Peyk",
  ...enCommon,
  ...enNow,
  ...enInbound,
  ...enMessages,
  ...enSend,
  ...enAccount,
  ...enFields,
  ...enRoute,
  ...enApproved,
  ...enCallbacks,
  ...enOverview,
  ...enPlans,
  ...enReports,
  ...enSignIn,
  ...enSetup,
  ...enService,
  ...enSettings,
  ...enKeyboard,
  ...enSystem,
  ...enUsers,
  ...enSystem,
};

export type Words = typeof en;
