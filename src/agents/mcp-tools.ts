/** The tools of MCP: declared operations, with words for a language model. At most 25, because each costs its context. */
import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { declarationOf, needsPerson } from "./consequences.ts";

export interface Tool {
  name: string;
  operation: string;
  description: string;
}

const tool = (name: string, operation: string, description: string): Tool => ({ name, operation, description });

export const tools: readonly Tool[] = [
  tool(
    "what_needs_a_look",
    "GET /digest",
    "What is wrong or needs a person's attention now, why, and the command or page that solves it. Start here when asked how the service is.",
  ),
  tool("service_status", "GET /status", "Health, routes, queue depths, alerts and warnings of the service."),
  tool(
    "list_accounts",
    "GET /accounts",
    "Accounts (customers). Find one by `query`; its id (acc_1) is what other tools take as `account`.",
  ),
  tool("show_account", "GET /accounts/:id", "One account with its settings."),
  tool("account_usage", "GET /accounts/:id/usage", "What an account sent and paid in a month."),
  tool("account_balance", "GET /accounts/:id/balance", "The balance of a prepaid or charged account."),
  tool(
    "search_messages",
    "GET /messages",
    "Messages that were sent, newest first: by account, recipient (a number or its last digits), reference, status, route, error and time. Pages by `cursor`.",
  ),
  tool(
    "show_message",
    "GET /messages/:trackingCode",
    "One message with its whole timeline: why it waits, failed or was delivered, by which route, at what price.",
  ),
  tool(
    "explain_message",
    "GET /explain",
    "What would happen to a message: accepted or refused, when, by which route and why, at what price. Sends nothing.",
  ),
  tool(
    "preview_message",
    "POST /messages/preview",
    "What sending a text would do: valid and refused recipients, parts, price, routes. Sends nothing.",
  ),
  tool("list_inbound", "GET /inbound", "Messages that were received from phones, newest first."),
  tool("list_campaigns", "GET /campaigns", "Campaigns: sendings to a group."),
  tool("show_campaign", "GET /campaigns/:id", "One campaign with its progress and outcomes."),
  tool("list_routes", "GET /routes", "Routes to carriers, with their state and last error."),
  tool("show_route", "GET /routes/:name", "One route with its figures and the carrier's refusals."),
  tool("report_figures", "GET /figures", "Counted messages by account, sender, route, network, status or time."),
  tool("list_webhooks", "GET /webhooks", "Callback receivers of accounts, with their health."),
  tool("webhook_deliveries", "GET /webhooks/:id/deliveries", "Calls to a webhook, with what its receiver answered."),
  tool("audit_entries", "GET /audit", "Who changed what, newest first."),
  tool(
    "send_message",
    "POST /messages",
    "Sends a text to numbers. `idempotencyKey`: a new random text for each sending; the same again sends nothing twice. Costs money, so a person usually has to confirm.",
  ),
  tool(
    "cancel_messages",
    "POST /messages/cancel",
    "Cancels messages that were not handed to a route yet. `dryRun`: only tells which could be.",
  ),
  tool(
    "resend_messages",
    "POST /messages/resend",
    "Sends failed messages again. `dryRun`: only tells which would be, and the price.",
  ),
  tool("stop_campaign", "POST /campaigns/:id/stop", "Stops a campaign: what waits of it is cancelled."),
  tool(
    "suppress_number",
    "POST /suppressions",
    "Adds a number to an account's suppression list, or to that of all: no more messages go to it.",
  ),
];

/** Not an operation: what became of a change that a person was asked to confirm. */
export const confirmationTool = {
  name: "show_confirmation",
  description:
    "What became of a change that a person was asked to confirm: waiting, done, rejected or failed. Nothing can be confirmed by a tool.",
  inputSchema: {
    type: "object" as const,
    properties: { confirmation: { type: "string" } },
    required: ["confirmation"],
  },
  annotations: { readOnlyHint: true },
};

export const toolNamed = (name: string): Tool | undefined => tools.find((one) => one.name === name);

/** `isForCustomer`: bound to one account, and never told a route, so the fields for both are left out. */
export function toolAnswer({ name, operation, description }: Tool, isForCustomer: boolean) {
  const isChange = declarationOf(operation)?.audit !== undefined;
  return {
    name,
    description,
    inputSchema: inputSchemaOf(operation, isForCustomer),
    annotations: { readOnlyHint: !isChange, ...(isChange && { destructiveHint: needsPerson(operation) }) },
  };
}

export interface ObjectSchema {
  [key: string]: unknown;
  type: "object";
  properties: Record<string, object>;
  required?: string[];
}

/** The JSON Schema of an operation's input. */
export function inputSchemaOf(operation: string, isForCustomer = false): ObjectSchema {
  const { input: declared = {}, scope } = declarationOf(operation) ?? {};
  const isHidden = (name: string) => isForCustomer && (name === "route" || (name === "account" && scope === "account"));
  const { account, ...others } = Object.fromEntries(Object.entries(declared).filter(([name]) => !isHidden(name)));
  const input = account === undefined ? others : { account, ...others };
  const { properties, required }: TObject = Type.Object(input);
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, plainSchema(schema)])),
    ...(required !== undefined && { required: [...required] }),
  };
}

/** Without what the service itself notes in its schemas. */
function plainSchema(schema: TSchema): object {
  const { field: _, problem: __, ...plain } = schema;
  const { anyOf, items } = plain;
  return {
    ...plain,
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(plainSchema) }),
    ...(typeof items === "object" && items !== null && { items: plainSchema(items) }),
  };
}
