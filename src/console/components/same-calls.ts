/**
 * What a page does, by the command line for operators and by the public API for customers. A control's flag comes from
 * its declaration where it has one; the rest stands here. A test gives every line to the command line's own parser.
 */
import { accountFields } from "../../fields/account.ts";
import type { FieldTable } from "../../fields/field.ts";
import { keyFields } from "../../fields/key.ts";
import { patternFields } from "../../fields/pattern.ts";

/** `!`: needed. Without a name: an argument. `--account/--sender`: of both, by the first slash. `*`: one for each word. */
export type Flags = Readonly<Record<string, string>>;

export interface SameCommand {
  /** With the parameters of the page's address. */
  run: string;
  /** By control. */
  flags: Flags;
}

export interface SameRequest {
  method: "GET" | "POST";
  path: string;
  /** Of the query or the body, by control. `!`: needed. */
  fields: Flags;
}

const flagsOf = (table: FieldTable, needed: readonly string[] = []): Flags =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { option }]) =>
      option === undefined ? [] : [[name, `--${option.split(" ")[0]}${needed.includes(name) ? "!" : ""}`] as const],
    ),
  );

const query = { q: "--query" };
const one = (run: string, flags: Flags = {}): readonly SameCommand[] => [{ run, flags }];
const { name: accountName, defaultSender, countries, ...accountSettings } = accountFields;

export const sameCommands: Readonly<Record<string, readonly SameCommand[]>> = {
  "/": one("status"),
  "/accounts": one("account list", query),
  "/accounts/new": one("account create", flagsOf({ name: accountName }, ["name"])),
  "/accounts/:id": one("account show :id"),
  "/accounts/:id/settings": [
    { run: "account update :id", flags: flagsOf({ name: accountName, defaultSender, countries }) },
    { run: "account set :id", flags: flagsOf(accountSettings) },
  ],
  "/accounts/:id/balance": one("account topup :id", { amount: "--amount!", note: "--note", reference: "--reference" }),
  "/accounts/:id/suspend": one("account suspend :id"),
  "/accounts/:id/senders": one("sender list --account :id", query),
  "/accounts/:id/senders/new": one("sender add --account :id", { sender: "--sender!", routes: "--route" }),
  "/accounts/:id/keys": one("key list --account :id", query),
  "/accounts/:id/keys/new": one("key create --account :id", flagsOf(keyFields, ["name"])),
  "/accounts/:id/keys/:key/change": one("key update :key", flagsOf(keyFields)),
  "/accounts/:id/keys/:key/rotate": one("key rotate :key"),
  "/accounts/:id/keys/:key/revoke": one("key revoke :key"),
  "/accounts/:id/money": one("report statement --account :id"),
  "/senders": one("sender list", query),
  "/messages": one("message search", {
    q: "--recipient|--reference",
    status: "--status",
    error: "--error",
    route: "--route",
    account: "--account",
    campaign: "--campaign",
    sender: "--sender",
  }),
  "/messages/:code": one("message show :code"),
  "/messages/:code/resend": one("message resend :code"),
  "/messages/:code/cancel": one("message cancel :code"),
  "/campaigns": one("campaign list", { account: "--account" }),
  "/campaigns/:id": one("campaign show :id"),
  "/campaigns/:id/stop": one("campaign stop :id"),
  "/campaigns/:id/resend": one("campaign resend :id"),
  "/send": one("message send", {
    from: "--account/--sender!",
    recipients: "--recipient*!",
    text: "--message!",
    reference: "--reference",
  }),
  "/inbound": one("inbound list"),
  "/inbound/:code": one("inbound show :code"),
  "/inbound/lines": one("line list", query),
  "/inbound/lines/:number/remove": one("line remove --number :number"),
  "/credentials": one("credential list"),
  "/credentials/:id": one("credential show :id"),
  "/credentials/:id/rotate": one("credential rotate :id"),
  "/credentials/:id/revoke": one("credential revoke :id"),
  "/groups": one("group list", query),
  "/groups/:code": one("group show :code"),
  "/groups/new": one("group create", { account: "--account!", code: "--code!", name: "--name!" }),
  "/patterns": one("pattern list", query),
  "/patterns/:code": one("pattern show :code"),
  "/patterns/new": one("pattern add", {
    ...flagsOf(patternFields, ["code", "name", "text"]),
    account: "--account!",
  }),
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
  "/plans/:name/rules/:number/remove": one("plan rule remove :name :number"),
  "/callbacks": one("webhook list", query),
  "/callbacks/new": one("webhook create", { account: "--account!", url: "--url!", events: "--event" }),
  "/callbacks/:id/deliveries": one("webhook deliveries :id"),
  "/callbacks/:id/remove": one("webhook remove :id"),
  "/prices": one("price list"),
  "/prices/:list": one("price show :list", query),
  "/suppression": one("suppression list", { account: "--account" }),
  "/alerts": one("alert list"),
  "/audit": one("audit list"),
  "/system": one("doctor"),
  "/system/settings": one("config show --running"),
  "/system/queue/release": one("queue release"),
  "/users": one("user list", query),
  "/users/:name/reset": one("user reset :name"),
  "/users/:name/disable": one("user disable :name"),
};

export const sameRequests: Readonly<Record<string, SameRequest>> = {
  "/send": {
    method: "POST",
    path: "/v1/messages",
    fields: { from: "sender!", recipients: "recipient!", text: "message!", reference: "clientReference" },
  },
  "/messages/:code": { method: "GET", path: "/v1/messages/:code", fields: {} },
  "/messages/:code/cancel": { method: "POST", path: "/v1/messages/:code/cancel", fields: {} },
  "/inbound": { method: "GET", path: "/v1/inbound-messages", fields: {} },
  "/groups": { method: "GET", path: "/v1/approved-groups", fields: {} },
  "/patterns": { method: "GET", path: "/v1/patterns", fields: {} },
  "/callbacks": { method: "GET", path: "/v1/webhooks/", fields: {} },
};
