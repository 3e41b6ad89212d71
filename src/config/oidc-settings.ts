/** The settings of single sign-on, for the console and in the same words for the portal. */
import { type CustomerRole, customerRoles, type Role, type StaffRole, staffRoles } from "../domain/roles.ts";
import {
  booleanSetting,
  integerSetting,
  optionalFileSetting,
  optionalIssuerSetting,
  range,
  roleListSetting,
  textSetting,
} from "./setting-types.ts";

const isLine = (value: string) => /^[^\p{Cc}]{0,200}$/u.test(value);
const isWords = (value: string) => /^[!-~ ]{0,500}$/.test(value);

/** `who`: for whom it is. */
const providerSettings = <R extends Role>(who: string, roles: readonly R[]) => ({
  issuer: optionalIssuerSetting({
    help: `The OpenID Connect provider at which ${who} sign in, by its issuer's URL, such as https://id.example.com/realms/main; without it, single sign-on is off.`,
  }),
  clientId: textSetting("text", "a text without spaces", (value) => /^[!-~]{0,200}$/.test(value), {
    default: "",
    help: "The name under which Peyk is registered at the provider.",
  }),
  clientSecretFile: optionalFileSetting({
    help: "File with the secret of that client, not readable by others; without it, Peyk is a public client, with PKCE alone.",
  }),
  redirectUrl: optionalIssuerSetting({
    help: "Where the provider sends people back to, ending in /sign-in/oidc/back; without it, that path under the url of these pages.",
  }),
  scopes: textSetting(
    "text",
    "words with spaces between them, openid among them",
    (value) => isWords(value) && value.split(" ").includes("openid"),
    {
      default: "openid profile",
      help: "What the provider is asked for.",
    },
  ),
  name: textSetting("text", "one line of at most 200 characters", isLine, {
    default: "",
    help: "What the button at sign-in calls the provider; without it, the issuer's host.",
  }),
  caFile: optionalFileSetting({
    help: "PEM file of authorities that are trusted for the provider beside the system's own.",
  }),
  claim: textSetting("text", "the name of a claim", (value) => value !== "" && isLine(value), {
    default: "groups",
    help: "The claim whose values decide the role; dots lead into it, as in realm_access.roles.",
  }),
  roles: roleListSetting(roles, {
    default: [],
    help: `Which value of the claim gives which role (${roles.join(", ")}), such as VALUE=${roles[0]}; the first match holds, and nobody comes in without one.`,
  }),
  acrValues: textSetting("text", "words with spaces between them", isWords, {
    default: "",
    help: "How strong a sign-in the provider is asked for (acr_values); an answer with none of these is refused, and with one no second factor is demanded.",
  }),
  sessionHours: integerSetting(range(1, 168), {
    default: 8,
    unit: "hours",
    help: "After this long the provider is asked again, and the role judged anew.",
  }),
});

export const oidcSettings = {
  ...providerSettings<StaffRole>("those who run the service", staffRoles),
  passkeys: booleanSetting({
    default: false,
    help: "Whether users whose role comes from a provider may have passkeys and tokens of their own; they end with the role, oidc.session_hours after the last sign-in there.",
  }),
  portal: {
    ...providerSettings<CustomerRole>("customers", customerRoles),
    account: textSetting("text", "the name of a claim", (value) => value !== "" && isLine(value), {
      default: "account",
      help: "The claim that names the customer's account by its id, such as acc_1.",
    }),
  },
};
