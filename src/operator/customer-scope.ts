/** What a customer reaches of the operator API: the paths listed here, each bound to the customer's own account. Everything else is not there. */
import { Elysia } from "elysia";
import { OperatorError } from "../domain/operator-error.ts";
import { callerOf } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdText, keyIdOf } from "./ids.ts";

type ScopeDeps = Pick<OperatorDeps, "directory" | "messages" | "inbound" | "webhooks">;
type Fields = Record<string, unknown>;

/**
 * `query`, `body`: the account is written there, whatever stood in its place. A function gives the account whose thing the path
 * names, and another's is told like one that does not exist.
 */
type Scope = "query" | "body" | ((params: Fields, deps: ScopeDeps) => number | null);

const textOf = (params: Fields, name: string): string => String(params[name] ?? "");

const keyOwner: Scope = (params, { directory }) => directory.key(keyIdOf(textOf(params, "id")))?.accountId ?? null;
const messageOwner: Scope = (params, { messages }) => messages.show(textOf(params, "trackingCode")).row.accountId;
const webhookOwner: Scope = (params, { webhooks }) => webhooks.present(textOf(params, "id"))?.accountId ?? null;
const accountItself: Scope = (params, { directory }) =>
  directory.accounts().find(({ id }) => accountIdText(id) === params.id)?.id ?? null;

/** By method and path, without a slash at its end. */
const scopes: Readonly<Record<string, Scope>> = {
  "GET /accounts/:id": accountItself,
  "GET /accounts/:id/balance": accountItself,
  "GET /accounts/:id/ledger": accountItself,
  "GET /accounts/:id/usage": accountItself,
  "GET /accounts/:id/statement": accountItself,
  "GET /keys": "query",
  "POST /keys": "body",
  "GET /keys/:id": keyOwner,
  "PATCH /keys/:id": keyOwner,
  "POST /keys/:id/rotate": keyOwner,
  "POST /keys/:id/revoke": keyOwner,
  "GET /senders": "query",
  "GET /messages": "query",
  "GET /messages/newer": "query",
  "GET /messages/export": "query",
  "GET /messages/:trackingCode": messageOwner,
  "POST /messages": "body",
  "POST /messages/preview": "body",
  "POST /messages/cancel": "body",
  "GET /lines": "query",
  "GET /inbound": "query",
  "GET /inbound/:trackingCode": (params, { inbound }) =>
    inbound.messages.byCode(textOf(params, "trackingCode"))?.accountId ?? null,
  "GET /lists/senders": "query",
  "GET /lists/groups": "query",
  "GET /lists/patterns": "query",
  "GET /lists/webhooks": "query",
  "GET /lists/keys": "query",
  "GET /lists/lines": "query",
  "GET /groups": "query",
  "POST /groups": "body",
  "GET /groups/:code": "query",
  "POST /groups/:code/import": "query",
  "POST /groups/preview": "query",
  "GET /patterns": "query",
  "POST /patterns": "body",
  "GET /patterns/:code": "query",
  "GET /figures": "query",
  "GET /webhooks": "query",
  "GET /webhooks/:id": webhookOwner,
  "GET /webhooks/:id/deliveries": webhookOwner,
  "POST /webhooks/:id/replay": webhookOwner,
  "POST /webhooks/:id/rotate-secret": webhookOwner,
  "POST /webhooks/:id/switch-secret": webhookOwner,
};

interface ScopedRequest {
  request: Request;
  route: string;
  params: unknown;
  query: unknown;
  body: unknown;
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

function bind({ request, route, params, query, body }: ScopedRequest, deps: ScopeDeps): void {
  const { accountId } = callerOf(request);
  if (accountId === null) return;
  const scope = scopes[`${request.method} ${route.replace(/(.)\/$/, "$1")}`];
  if (scope === undefined) throw new OperatorError("not_found");
  if (typeof scope === "function") {
    if (scope(isFields(params) ? params : {}, deps) !== accountId) throw new OperatorError("not_found");
    return;
  }
  const fields = scope === "query" ? query : body;
  if (!isFields(fields)) throw new OperatorError("invalid");
  fields.account = accountIdText(accountId);
}

/** To be used before the routes and the audit: its hook counts for those that follow, and the audit tells what was bound. */
export function bindCustomers(deps: ScopeDeps) {
  return new Elysia({ name: "customer-scope" }).onTransform({ as: "global" }, (context): void => bind(context, deps));
}
