/** The settings of the customers' portal: the registry's section `[portal]`. */
import { booleanSetting, optionalUrlSetting } from "./setting-types.ts";
import { tlsFiles } from "./tls-settings.ts";

export const portalSettings = {
  url: optionalUrlSetting({
    default: null,
    help: "Under which browsers reach the portal from elsewhere, such as https://portal.example.com.",
  }),
  tls: tlsFiles("of the portal; without it, plain HTTP."),
  quietHours: booleanSetting({
    default: false,
    help: "Whether customers change the quiet hours of their own account at the portal.",
  }),
};
