/** The settings of the customers' portal: the registry's section `[portal]`. */
import {
  booleanSetting,
  optionalAccentSetting,
  optionalFileSetting,
  optionalUrlSetting,
  textSetting,
} from "./setting-types.ts";
import { tlsFiles } from "./tls-settings.ts";

export const portalSettings = {
  url: optionalUrlSetting({
    default: null,
    help: "Under which browsers reach the portal from elsewhere, such as https://portal.example.com.",
  }),
  tls: tlsFiles("of the portal; without it, plain HTTP."),
  name: textSetting("text", "one line of at most 60 characters", (value) => /^[^\p{Cc}]{0,60}$/u.test(value.trim()), {
    default: "",
    help: "Your own name at the portal and its sign-in, in place of Peyk's; without it, console.name.",
  }),
  logo: optionalFileSetting({
    default: null,
    help: "Your logo there, and the icon in the browser's tab: SVG or PNG of at most 64 kB; without it, the first letter of your name.",
  }),
  accent: optionalAccentSetting({
    default: null,
    help: "Your colour there, such as #0a5f73, for links and buttons; a colour too light to read is refused.",
  }),
  quietHours: booleanSetting({
    default: false,
    help: "Whether customers change the quiet hours of their own account at the portal.",
  }),
};
