/**
 * What a page does, by the command line for operators and by the public API for customers. A control's flag comes from
 * its declaration where it has one; the rest stands here. Tests give every line to the command line's own parser, and
 * look for each page and each form in these tables.
 */
import { accountFields } from "../../fields/account.ts";
import {
  credentialFields,
  dropInCredentialFields,
  kannelCredentialFields,
  newCredentialFields,
  smppCredentialFields,
  smtpCredentialFields,
} from "../../fields/credential.ts";
import { controlNames, type Field, type FieldTable, pick } from "../../fields/field.ts";
import { newRuleFields } from "../../fields/inbound-rule.ts";
import { keyFields } from "../../fields/key.ts";
import { endedPriceFields, entryFields, priceFields } from "../../fields/money.ts";
import { patternFields } from "../../fields/pattern.ts";
import { newPlanRuleFields, planMoveFields, planRuleFields } from "../../fields/plan-rule.ts";
import { quotaFields } from "../../fields/quota.ts";
import { tokenFields } from "../../fields/user-token.ts";
import { webhookFields } from "../../fields/webhook.ts";
import type { Flag, Flags, SameCall } from "../client/same-text.ts";

type Calls = readonly SameCall[];

const formOf = (field: Field): Flag["as"] => {
  if (field.kind === "number") return field.unit === "seconds" ? "seconds" : "number";
  if (field.kind === "list") return "entries";
  if (field.kind === "place") return "place";
  if (field.kind === "tag") return "last";
  return field.kind === "truth" && field.option?.includes(" ") !== true ? "switch" : undefined;
};
const noneOf = (field: Field) => field.none ?? (field.kind === "list" ? field.empty : undefined);

interface FlagsWanted {
  needs?: readonly string[];
  isChange?: true;
}

function flagsOf(table: FieldTable, { needs = [], isChange }: FlagsWanted = {}): Flags {
  const flags = Object.entries(table).flatMap(([name, field]): [string, Flag][] => {
    if (field.option === undefined) return [];
    const [control = name, ...more] = controlNames(name, field);
    const flag = {
      name: `--${field.option.split(" ")[0]}`,
      as: formOf(field),
      isChange,
      none: isChange && noneOf(field),
    };
    return [
      [control, { ...flag, isNeeded: needs.includes(name) || undefined, ...(more.length > 0 && { with: more }) }],
    ];
  });
  return Object.fromEntries(flags);
}

const needed = (name: string, as?: Flag["as"]): Flag => ({ name, as, isNeeded: true });
const argument = needed("");

const one = (begin: string, flags: Flags = {}): Calls => [{ begin, flags }];
const made = (begin: string, table: FieldTable, ...needs: readonly string[]): Calls =>
  one(begin, flagsOf(table, { needs }));
const changed = (begin: string, table: FieldTable): SameCall => ({ begin, flags: flagsOf(table, { isChange: true }) });

const query = { q: "--query" };
const ofAccount = { account: "--account" };
const { name: accountName, defaultSender, countries, ...accountSettings } = accountFields;
const { to: moveTo } = planMoveFields;
const credentialOptions = {
  ...credentialFields,
  ...dropInCredentialFields,
  ...smppCredentialFields,
  ...kannelCredentialFields,
  ...smtpCredentialFields,
};
const entry = (verb: string): SameCall => ({
  begin: `account ${verb} :id`,
  flags: flagsOf(entryFields, { needs: verb === "correct" ? ["amount", "note"] : ["amount"] }),
});
const searched: Flags = {
  q: { name: "--recipient", as: "recipient" },
  error: "--error",
  route: "--route",
  account: "--account",
  campaign: "--campaign",
  sender: "--sender",
  range: { name: "--from", as: "ago" },
  from: "--from",
  to: "--to",
};
/** A rule's first two targets: as many as its form has at first. */
const ruleFlags = (table: FieldTable, isChange?: true): Flags => ({
  targets: { ...needed("--target"), with: ["route-0-1", "route-0-2"], weight: "weight-0" },
  "targets-1": { name: "--target", with: ["route-1-1", "route-1-2"], weight: "weight-1" },
  ...flagsOf(table, isChange && { isChange }),
});
const senderRoutes = { name: "--route", with: ["routes-1", "routes-2"] };

/** By the address of a page. */
export const sameCommands: Readonly<Record<string, Calls>> = {
  "/": one("status"),
  "/accounts": one("account list", query),
  "/accounts/new": made("account create", { name: accountName }, "name"),
  "/accounts/:id": one("account show :id"),
  "/accounts/:id/suspend": one("account suspend :id"),
  "/accounts/:id/settings": [
    changed("account update :id", { name: accountName, defaultSender, countries }),
    changed("account set :id", accountSettings),
    changed("quota set :id", quotaFields),
  ],
  "/accounts/:id/changes": one("audit list --target :id"),
  "/accounts/:id/balance": [...one("account ledger :id"), entry("topup"), entry("correct")],
  "/accounts/:id/errors": one("account errors :id"),
  "/accounts/:id/money": one("report statement --account :id", { month: "--month" }),
  "/accounts/:id/senders": one("sender list --account :id", query),
  "/accounts/:id/senders/new": one("sender add --account :id", { sender: needed("--sender"), routes: senderRoutes }),
  "/accounts/:id/senders/routes": one("sender update --account :id", {
    sender: needed("--sender"),
    routes: { ...senderRoutes, isNeeded: true },
  }),
  "/accounts/:id/keys": one("key list --account :id", query),
  "/accounts/:id/keys/new": made("key create --account :id", keyFields, "name"),
  "/accounts/:id/keys/:key/change": [changed("key update :key", keyFields)],
  "/accounts/:id/keys/:key/rotate": one("key rotate :key", { grace: { name: "--grace", as: "seconds" } }),
  "/accounts/:id/keys/:key/revoke": one("key revoke :key", {
    cancelWaiting: { name: "--cancel-waiting", as: "switch" },
  }),
  "/senders": one("sender list", query),
  "/messages": one("message search", { status: "--status", ...searched }),
  "/messages/resend": one("message resend", searched),
  "/messages/cancel": one("message cancel", searched),
  "/messages/:code": one("message show :code"),
  "/messages/:code/block": one("suppression add NUMBER", { note: "--note" }),
  "/messages/:code/resend": one("message resend :code"),
  "/messages/:code/cancel": one("message cancel :code"),
  "/campaigns": one("campaign list", ofAccount),
  "/campaigns/:id": one("campaign show :id"),
  "/campaigns/:id/stop": one("campaign stop :id"),
  "/campaigns/:id/resend": one("campaign resend :id"),
  "/send": one("message send", {
    from: needed("--sender", "sender"),
    recipients: needed("--recipient", "words"),
    file: "--file",
    text: needed("--message"),
    reference: "--reference",
    sendAt: "--send-at",
    key: "--key",
  }),
  "/inbound": one("inbound list", { account: "--account", sender: "--sender", receiver: "--receiver" }),
  "/inbound/:code": one("inbound show :code"),
  "/inbound/phone": one("inbound simulate", { from: needed("--from"), to: needed("--to"), text: needed("--message") }),
  "/inbound/lines": [
    ...one("line list", query),
    ...one("line add", { number: needed("--number"), account: needed("--account") }),
  ],
  "/inbound/lines/:number/rules": [
    ...one("line rule list :number"),
    ...one("line rule try :number", { from: needed("--from"), text: needed("--text") }),
  ],
  "/inbound/lines/:number/rules/-new": one("line rule add :number", flagsOf(newRuleFields)),
  "/inbound/lines/:number/rules/:rule": [changed("line rule update :number :rule", newRuleFields)],
  "/inbound/lines/:number/rules/:rule/remove": one("line rule remove :number :rule"),
  "/inbound/lines/:number/remove": one("line remove --number :number"),
  "/credentials": one("credential list", ofAccount),
  "/credentials/new": one("credential create", {
    ...flagsOf(newCredentialFields, { needs: ["key", "kind", "traffic"] }),
    name: "--name",
    preset: { name: "--template intake.json", as: "switch" },
    ...flagsOf(credentialOptions, { isChange: true }),
    requestKeyFreeAfterFailure: { name: "--request-key-free-after-failure", as: "switch", isChange: true },
  }),
  "/credentials/:id": one("credential show :id"),
  "/credentials/:id/change": [changed("credential update :id", credentialOptions)],
  "/credentials/:id/rotate": one("credential rotate :id"),
  "/credentials/:id/revoke": one("credential revoke :id"),
  "/intakes/:name": one("intake calls :name"),
  "/groups": one("group list", query),
  "/groups/new": one("group create", { account: needed("--account"), code: needed("--code"), name: needed("--name") }),
  "/groups/:code": one("group show :code"),
  "/patterns": one("pattern list", query),
  "/patterns/new": one("pattern add", {
    ...flagsOf(patternFields, { needs: ["code", "name", "text"] }),
    account: needed("--account"),
  }),
  "/patterns/:code": one("pattern show :code"),
  "/approvals": [...one("group list"), ...one("pattern list")],
  "/routes": one("route list"),
  "/routes/-new": one("route add --kind smpp --config route.json", { name: argument }),
  "/routes/:name": one("route show :name"),
  "/routes/:name/change": one("route update :name --config route.json"),
  "/routes/:name/edit": one("route update :name --config route.json"),
  "/routes/:name/remove": one("route remove :name"),
  "/plans": one("plan list"),
  "/plans/-new": one("plan create", { name: argument }),
  "/plans/:name": one("plan show :name"),
  "/plans/:name/remove": one("plan remove :name"),
  "/plans/:name/rules/-new": one("plan rule add :name", ruleFlags(newPlanRuleFields)),
  "/plans/:name/rules/:number/change": [
    { begin: "plan rule update :name :number", flags: ruleFlags(planRuleFields, true) },
  ],
  "/plans/:name/rules/:number/remove": one("plan rule remove :name :number"),
  "/callbacks": one("webhook list", { ...query, ...ofAccount }),
  "/callbacks/new": made("webhook create", webhookFields, "account", "url").map(({ begin, flags }) => {
    const { isActive: _, ...asked } = flags;
    return { begin, flags: { account: needed("--account"), ...asked } };
  }),
  "/callbacks/:id/deliveries": [
    ...one("webhook deliveries :id"),
    ...one("webhook update :id --active no"),
    ...one("webhook test :id"),
    ...one("webhook rotate-secret :id"),
  ],
  "/callbacks/:id/change": one("webhook update :id", { events: needed("--event") }),
  "/callbacks/:id/replay": one("webhook replay --subscription :id", {
    span: { name: "--since", as: "ago" },
    failed: { name: "--failed", as: "switch" },
  }),
  "/callbacks/:id/remove": one("webhook remove :id"),
  "/prices": [...one("price list"), ...one("price import", { name: argument, file: needed("--csv") })],
  "/prices/:list": one("price show :list", query),
  "/prices/:list/end": made("price end :list", endedPriceFields, "prefix"),
  "/prices/:list/accounts": one("price list"),
  "/prices/:list/history/:prefix": one("price show :list"),
  "/suppression": [
    ...one("suppression list", ofAccount),
    ...one("suppression add", { number: argument, note: "--note", ...ofAccount }),
  ],
  "/suppression/remove": one("suppression remove", { number: argument, account: "--account" }),
  "/alerts": one("alert list"),
  "/alerts/silence": one("alert silence", { condition: argument, subject: "--subject", hours: "--hours" }),
  "/alerts/conditions": one("alert unsilence", { condition: argument, subject: "--subject" }),
  "/alerts/receivers/:channel": one("alert test :channel"),
  "/audit": one("audit list", {
    actor: "--actor",
    action: "--action",
    target: "--target",
    outcome: "--outcome",
  }),
  "/reports": one("report usage --account ACCOUNT"),
  "/reports/codes": one("otp steps figures"),
  "/usage": one("report usage", { account: needed("--account"), by: "--by" }),
  "/money": one("report statement", { account: needed("--account"), month: "--month" }),
  "/system": one("doctor"),
  "/system/diagnostics": one("diagnostics"),
  "/system/settings": one("config show --running"),
  "/system/queue/release": one("queue release"),
  "/system/clock/confirm": one("clock confirm"),
  "/backups": [...one("backup list"), ...one("backup create peyk.db")],
  "/users": [...one("user list", query), ...one("user add", { name: argument, role: needed("--role"), ...ofAccount })],
  "/users/:name/reset": one("user reset :name"),
  "/users/:name/disable": one("user disable :name"),
  "/settings/sign-on": one("user link USER --oidc SUB"),
  "/settings/sign-on/remove": one("user unlink USER"),
  "/settings/tokens/new": one("user token create USER", {
    ...flagsOf(tokenFields),
    name: needed("--name"),
    expiresAt: needed("--expires"),
  }),
  "/settings/tokens/:id/revoke": one("user token revoke :id"),
};

/** By the address that a form or a button is posted to, on the page above it. */
export const sameForms: Readonly<Record<string, Calls>> = {
  "/backups/:name/check": one("backup verify :name"),
  "/prices/:list/unassign": one("price unassign", { account: "--account" }),
  "/suppression/export": one("suppression export", ofAccount),
  "/accounts/:id/note": one("account note :id", { note: argument }),
  "/accounts/:id/resume": one("account resume :id"),
  "/accounts/:id/senders/switch": [
    ...one("sender activate --account :id", { sender: needed("--sender") }),
    ...one("sender deactivate --account :id", { sender: needed("--sender") }),
  ],
  "/intakes/:name/test": one("intake test :name --body call.json"),
  "/groups/:code/preview": one("group import :code", { file: needed("--csv") }),
  "/groups/:code/approve": one("group approve :code"),
  "/groups/:code/suspend": one("group suspend :code"),
  "/patterns/:code/approve": one("pattern approve :code"),
  "/patterns/:code/suspend": one("pattern suspend :code"),
  "/routes/:name/enable": one("route enable :name"),
  "/routes/:name/disable": one("route disable :name"),
  "/routes/:name/drain": one("route drain :name"),
  "/routes/:name/undrain": one("route undrain :name"),
  "/routes/:name/test": one("route test :name", { to: "--to" }),
  "/plans/:name/test": one("plan test :name", { file: needed("--csv"), class: "--class", account: "--account" }),
  "/plans/:name/senders": [
    ...one("plan use :name", { sender: needed("--sender", "sender") }),
    ...one("plan leave", { sender: needed("--sender", "sender") }),
  ],
  "/inbound/lines/:number/rules/:rule/place": made(
    "line rule update :number :rule",
    pick(newRuleFields, "place"),
    "place",
  ),
  "/plans/:name/rules/:number/move": made("plan rule move :name :number", { to: moveTo }, "to"),
  "/prices/-set": one("price set", { list: argument, ...flagsOf(priceFields, { needs: ["prefix", "price"] }) }),
  "/prices/:list/set": made("price set :list", priceFields, "prefix", "price"),
  "/prices/:list/assign": [
    ...one("price assign :list", { account: needed("--account"), mode: needed("--billing") }),
    ...one("price assign :list", { route: needed("--route") }),
  ],
  "/suppression/preview": one("suppression import", { file: needed("--csv"), account: "--account" }),
  "/alerts/test": one("alert test"),
};

const get = (path: string): Calls => one(`GET ${path}`);

/** Of the public API, with the method before the path. */
export const sameRequests: Readonly<Record<string, Calls>> = {
  "/send": [
    {
      begin: "POST /v1/messages",
      flags: {
        from: needed("sender", "sender"),
        recipients: needed("recipient", "words"),
        text: needed("message"),
        reference: "clientReference",
        sendAt: "sendAt",
      },
      once: "key",
    },
  ],
  "/messages/:code": get("/v1/messages/:code"),
  "/messages/:code/cancel": one("POST /v1/messages/:code/cancel"),
  "/inbound": get("/v1/inbound-messages"),
  "/groups": get("/v1/approved-groups"),
  "/patterns": get("/v1/patterns"),
  "/callbacks": get("/v1/webhooks/"),
  "/callbacks/new": one("POST /v1/webhooks/", { url: needed("url"), events: { name: "events", as: "list" } }),
  "/callbacks/:id/deliveries": one("POST /v1/webhooks/:id/test"),
  "/callbacks/:id/change": one("PATCH /v1/webhooks/:id", { events: { name: "events", as: "list" } }),
  "/callbacks/:id/remove": one("DELETE /v1/webhooks/:id"),
};
