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
import { tokenFields } from "../../fields/user-token.ts";
import { webhookFields } from "../../fields/webhook.ts";
import type { Flags, SameCall } from "../client/same-text.ts";

type Calls = readonly SameCall[];

const signOf = (field: Field): string => {
  if (field.kind === "number") return field.unit === "seconds" ? " {}s#" : "#";
  if (field.kind === "list") return "+";
  if (field.kind === "place") return ";";
  if (field.kind === "tag") return ">";
  return field.kind === "truth" && field.option?.includes(" ") !== true ? "?" : "";
};
const noneOf = (field: Field): string => field.none ?? (field.kind === "list" ? field.empty : undefined) ?? "";

function flagsOf(
  table: FieldTable,
  { needs = [], isChange }: { needs?: readonly string[]; isChange?: true } = {},
): Flags {
  const flags = Object.entries(table).flatMap(([name, field]) => {
    if (field.option === undefined) return [];
    const change = isChange ? `^${noneOf(field) && `~${noneOf(field)}`}` : "";
    return [
      [
        controlNames(name, field).join(","),
        `--${field.option.split(" ")[0]}${signOf(field)}${needs.includes(name) ? "!" : ""}${change}`,
      ] as const,
    ];
  });
  return Object.fromEntries(flags);
}

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
const searched = {
  q: "--recipient|--reference",
  error: "--error",
  route: "--route",
  account: "--account",
  campaign: "--campaign",
  sender: "--sender",
  range: '--from "$(date -u -d -{} +%FT%TZ)"',
  from: "--from",
  to: "--to",
};
/** A rule's first two targets: as many as its form has at first. */
const ruleFlags = (table: FieldTable, isChange?: true): Flags => ({
  "targets,route-0-1,route-0-2=weight-0": "--target!",
  "targets-1,route-1-1,route-1-2=weight-1": "--target",
  ...flagsOf(table, isChange && { isChange }),
});
const senderRoutes = { "routes,routes-1,routes-2": "--route" };

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
    { begin: "quota set :id", flags: { day: "--day#^~none", month: "--month#^~none" } },
  ],
  "/accounts/:id/changes": one("audit list --target :id"),
  "/accounts/:id/balance": [...one("account ledger :id"), entry("topup"), entry("correct")],
  "/accounts/:id/errors": one("account errors :id"),
  "/accounts/:id/money": one("report statement --account :id", { month: "--month" }),
  "/accounts/:id/senders": one("sender list --account :id", query),
  "/accounts/:id/senders/new": one("sender add --account :id", { sender: "--sender!", ...senderRoutes }),
  "/accounts/:id/senders/routes": one("sender update --account :id", {
    sender: "--sender!",
    "routes,routes-1,routes-2": "--route!",
  }),
  "/accounts/:id/keys": one("key list --account :id", query),
  "/accounts/:id/keys/new": made("key create --account :id", keyFields, "name"),
  "/accounts/:id/keys/:key/change": [changed("key update :key", keyFields)],
  "/accounts/:id/keys/:key/rotate": one("key rotate :key", { grace: "--grace {}s" }),
  "/accounts/:id/keys/:key/revoke": one("key revoke :key", { cancelWaiting: "--cancel-waiting?" }),
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
    from: "--account/--sender!",
    recipients: "--recipient*!",
    file: "--file",
    text: "--message!",
    reference: "--reference",
    sendAt: "--send-at",
    key: "--key",
  }),
  "/inbound": one("inbound list", { account: "--account", sender: "--sender", receiver: "--receiver" }),
  "/inbound/:code": one("inbound show :code"),
  "/inbound/phone": one("inbound simulate", { from: "--from!", to: "--to!", text: "--message!" }),
  "/inbound/lines": [...one("line list", query), ...one("line add", { number: "--number!", account: "--account!" })],
  "/inbound/lines/:number/rules": [
    ...one("line rule list :number"),
    ...one("line rule try :number", { from: "--from!", text: "--text!" }),
  ],
  "/inbound/lines/:number/rules/-new": one("line rule add :number", flagsOf(newRuleFields)),
  "/inbound/lines/:number/rules/:rule": [changed("line rule update :number :rule", newRuleFields)],
  "/inbound/lines/:number/rules/:rule/remove": one("line rule remove :number :rule"),
  "/inbound/lines/:number/remove": one("line remove --number :number"),
  "/credentials": one("credential list", ofAccount),
  "/credentials/new": one("credential create", {
    ...flagsOf(newCredentialFields, { needs: ["key", "kind", "traffic"] }),
    name: "--name",
    preset: "--template intake.json?",
    ...flagsOf(credentialOptions, { isChange: true }),
    requestKeyFreeAfterFailure: "--request-key-free-after-failure?^",
  }),
  "/credentials/:id": one("credential show :id"),
  "/credentials/:id/change": [changed("credential update :id", credentialOptions)],
  "/credentials/:id/rotate": one("credential rotate :id"),
  "/credentials/:id/revoke": one("credential revoke :id"),
  "/intakes/:name": one("intake calls :name"),
  "/groups": one("group list", query),
  "/groups/new": one("group create", { account: "--account!", code: "--code!", name: "--name!" }),
  "/groups/:code": one("group show :code"),
  "/patterns": one("pattern list", query),
  "/patterns/new": one("pattern add", {
    ...flagsOf(patternFields, { needs: ["code", "name", "text"] }),
    account: "--account!",
  }),
  "/patterns/:code": one("pattern show :code"),
  "/approvals": [...one("group list"), ...one("pattern list")],
  "/routes": one("route list"),
  "/routes/-new": one("route add --kind smpp --config route.json", { name: "!" }),
  "/routes/:name": one("route show :name"),
  "/routes/:name/change": one("route update :name --config route.json"),
  "/routes/:name/edit": one("route update :name --config route.json"),
  "/routes/:name/remove": one("route remove :name"),
  "/plans": one("plan list"),
  "/plans/-new": one("plan create", { name: "!" }),
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
    return { begin, flags: { account: "--account!", ...asked } };
  }),
  "/callbacks/:id/deliveries": [
    ...one("webhook deliveries :id"),
    ...one("webhook update :id --active no"),
    ...one("webhook test :id"),
    ...one("webhook rotate-secret :id"),
  ],
  "/callbacks/:id/change": one("webhook update :id", { events: "--event!" }),
  "/callbacks/:id/replay": one("webhook replay --subscription :id", {
    span: '--since "$(date -u -d -{} +%FT%TZ)"',
    failed: "--failed?",
  }),
  "/callbacks/:id/remove": one("webhook remove :id"),
  "/prices": [...one("price list"), ...one("price import", { name: "!", file: "--csv!" })],
  "/prices/:list": one("price show :list", query),
  "/prices/:list/end": made("price end :list", endedPriceFields, "prefix"),
  "/prices/:list/accounts": one("price list"),
  "/prices/:list/history/:prefix": one("price show :list"),
  "/suppression": [
    ...one("suppression list", ofAccount),
    ...one("suppression add", { number: "!", note: "--note", ...ofAccount }),
  ],
  "/suppression/remove": one("suppression remove", { number: "!", account: "--account" }),
  "/alerts": one("alert list"),
  "/alerts/silence": one("alert silence", { condition: "!", subject: "--subject", hours: "--hours" }),
  "/alerts/conditions": one("alert unsilence", { condition: "!", subject: "--subject" }),
  "/alerts/receivers/:channel": one("alert test :channel"),
  "/audit": one("audit list", {
    actor: "--actor",
    action: "--action",
    target: "--target",
    outcome: "--outcome",
  }),
  "/reports": one("report usage --account ACCOUNT"),
  "/usage": one("report usage", { account: "--account!", by: "--by" }),
  "/money": one("report statement", { account: "--account!", month: "--month" }),
  "/system": one("doctor"),
  "/system/diagnostics": one("diagnostics"),
  "/system/settings": one("config show --running"),
  "/system/queue/release": one("queue release"),
  "/system/clock/confirm": one("clock confirm"),
  "/backups": [...one("backup list"), ...one("backup create peyk.db")],
  "/users": [...one("user list", query), ...one("user add", { name: "!", role: "--role!", ...ofAccount })],
  "/users/:name/reset": one("user reset :name"),
  "/users/:name/disable": one("user disable :name"),
  "/settings/sign-on": one("user link USER --oidc SUB"),
  "/settings/sign-on/remove": one("user unlink USER"),
  "/settings/tokens/new": one("user token create USER", {
    ...flagsOf(tokenFields),
    name: "--name!",
    expiresAt: "--expires!",
  }),
  "/settings/tokens/:id/revoke": one("user token revoke :id"),
};

/** By the address that a form or a button is posted to, on the page above it. */
export const sameForms: Readonly<Record<string, Calls>> = {
  "/backups/:name/check": one("backup verify :name"),
  "/prices/:list/unassign": one("price unassign", { account: "--account" }),
  "/suppression/export": one("suppression export", ofAccount),
  "/accounts/:id/note": one("account note :id", { note: "!" }),
  "/accounts/:id/resume": one("account resume :id"),
  "/accounts/:id/senders/switch": [
    ...one("sender activate --account :id", { sender: "--sender!" }),
    ...one("sender deactivate --account :id", { sender: "--sender!" }),
  ],
  "/intakes/:name/test": one("intake test :name --body call.json"),
  "/groups/:code/preview": one("group import :code", { file: "--csv!" }),
  "/groups/:code/approve": one("group approve :code"),
  "/groups/:code/suspend": one("group suspend :code"),
  "/patterns/:code/approve": one("pattern approve :code"),
  "/patterns/:code/suspend": one("pattern suspend :code"),
  "/routes/:name/enable": one("route enable :name"),
  "/routes/:name/disable": one("route disable :name"),
  "/routes/:name/drain": one("route drain :name"),
  "/routes/:name/undrain": one("route undrain :name"),
  "/routes/:name/test": one("route test :name", { to: "--to" }),
  "/plans/:name/test": one("plan test :name", { file: "--csv!", class: "--class", account: "--account" }),
  "/plans/:name/senders": [
    ...one("plan use :name", { sender: "--account/--sender!" }),
    ...one("plan leave", { sender: "--account/--sender!" }),
  ],
  "/inbound/lines/:number/rules/:rule/place": made(
    "line rule update :number :rule",
    pick(newRuleFields, "place"),
    "place",
  ),
  "/plans/:name/rules/:number/move": made("plan rule move :name :number", { to: moveTo }, "to"),
  "/prices/-set": one("price set", { list: "!", ...flagsOf(priceFields, { needs: ["prefix", "price"] }) }),
  "/prices/:list/set": made("price set :list", priceFields, "prefix", "price"),
  "/prices/:list/assign": [
    ...one("price assign :list", { account: "--account!", mode: "--billing!" }),
    ...one("price assign :list", { route: "--route!" }),
  ],
  "/suppression/preview": one("suppression import", { file: "--csv!", account: "--account" }),
  "/alerts/test": one("alert test"),
};

const get = (path: string): Calls => one(`GET ${path}`);

/** Of the public API, with the method before the path. */
export const sameRequests: Readonly<Record<string, Calls>> = {
  "/send": [
    {
      begin: "POST /v1/messages",
      flags: {
        from: "sender!",
        recipients: "recipient*!",
        text: "message!",
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
  "/callbacks/new": one("POST /v1/webhooks/", { url: "url!", events: "events[]" }),
  "/callbacks/:id/deliveries": one("POST /v1/webhooks/:id/test"),
  "/callbacks/:id/change": one("PATCH /v1/webhooks/:id", { events: "events[]" }),
  "/callbacks/:id/remove": one("DELETE /v1/webhooks/:id"),
};
