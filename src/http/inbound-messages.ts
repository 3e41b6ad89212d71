/** GET /v1/inbound-messages: messages received on the account's lines, with a cursor for endless polling. */
import type { Static } from "@sinclair/typebox";
import { normaliseAddress } from "../domain/phone-number.ts";
import { cursorPosition, cursorText, firstCursor } from "../inbound/cursor.ts";
import type { Inbox } from "../inbound/inbox.ts";
import { isoTime } from "../platform/clock.ts";
import type { AvailableInbound, InboxFilter } from "../store/inbound.ts";
import { type Call, type Operation, operation, type ParameterDeclaration } from "./operation.ts";
import { queryReader } from "./query.ts";
import { flagOf, listOf, objectOf, textOf, timeOf } from "./response-fields.ts";

const limits = { minimum: 1, maximum: 500 };
const limitDefault = 100;

interface InboundQuery {
  /** The cursor's position; 0 for the beginning. */
  after: number;
  limit: number;
  filter: InboxFilter;
}

export function inboundOperations(inbox: Inbox): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/v1/inbound-messages",
      tag: "Inbound messages",
      operationId: "listInboundMessages",
      summary: "Received messages",
      description:
        "Messages in the order in which they became available. Reading consumes nothing: the same cursor gives the same page " +
        "again. Keep `nextCursor` and poll with it: no message is missed, and none comes twice. `hasMore` says whether to go on " +
        "at once; a page may hold fewer messages than `limit` and still have more behind it. A message that holds no text, but " +
        "data for an application, has an empty `message`.",
      permission: "inbound:read",
      parameters,
      responses: { 200: { description: "A page of received messages, the oldest first.", body: page } },
      errors: ["validation_failed"],
      async handle(call) {
        const { accountId } = call.caller;
        const { after, limit, filter } = inboundQueryOf(call, inbox.lastPosition(accountId));
        const { messages, through, hasMore } = await inbox.read(accountId, after, filter, limit);
        return {
          status: 200,
          body: { items: messages.map(itemBody), nextCursor: cursorText(accountId, through), hasMore },
        };
      },
    }),
  ];
}

/** Throws `validation_failed`. */
function inboundQueryOf({ request, caller, rules }: Call, lastPosition: number): InboundQuery {
  const query = queryReader(request);
  const normalise = (text: string) => normaliseAddress(text, rules.defaultRegion);
  const after = query.value(
    "after",
    // A position beyond the newest was issued before a backup was restored: used as it is, it would skip messages.
    (text) => positionUpTo(lastPosition, cursorPosition(caller.accountId, text)),
    "invalid_format",
    "Must be a nextCursor that this account was given.",
  );
  const limit = query.integer("limit", limits);
  const filter = {
    receiver: query.address("receiver", (text) => numberOrNull(normalise(text))),
    // Some senders are names.
    sender: query.address("sender", normalise),
    from: query.time("from"),
    to: query.time("to"),
  };
  query.check();
  return { after: after ?? 0, limit: limit ?? limitDefault, filter };
}

function positionUpTo(last: number, position: number | null): number | null {
  return position !== null && position <= last ? position : null;
}

function numberOrNull(address: string): string | null {
  return /^\+?[0-9]+$/.test(address) ? address : null;
}

function itemBody({ trackingCode, sender, receiver, message, receivedAt }: AvailableInbound): Static<typeof item> {
  return { trackingCode, sender, receiver, message, receivedAt: isoTime(receivedAt) };
}

const exampleCursor = firstCursor;

const parameters: readonly ParameterDeclaration[] = [
  {
    name: "after",
    in: "query",
    description: "The `nextCursor` of an earlier page. Without it, the oldest messages come first.",
    schema: { type: "string" },
    example: exampleCursor,
  },
  {
    name: "limit",
    in: "query",
    description: "The most messages that a page may hold.",
    schema: { type: "integer", ...limits, default: limitDefault },
    example: limitDefault,
  },
  {
    name: "receiver",
    in: "query",
    description: "Only messages to this number, in any common spelling.",
    schema: { type: "string", minLength: 1, maxLength: 20 },
    example: "30001234",
  },
  {
    name: "sender",
    in: "query",
    description: "Only messages from this number, in any common spelling, or from this name.",
    schema: { type: "string", minLength: 1, maxLength: 20 },
    example: "+989121234567",
  },
  {
    name: "from",
    in: "query",
    description: "Only messages received at or after this time.",
    schema: { type: "string", format: "date-time" },
    example: "2026-11-20T00:00:00Z",
  },
  {
    name: "to",
    in: "query",
    description: "Only messages received before this time.",
    schema: { type: "string", format: "date-time" },
    example: "2026-11-21T00:00:00Z",
  },
];

const item = objectOf(
  "A received message.",
  {
    trackingCode: textOf("Identifier of the received message.", "01KAGN0Q6YV5T0WJ7V8K3H4R2B"),
    sender: textOf("The number that it came from, E.164 where it is one; or a name.", "+989121234567"),
    receiver: textOf("The account's number that it was sent to.", "30001234"),
    message: textOf("The text, long messages put together. Empty for binary content.", "بله"),
    receivedAt: timeOf("When it came; of a long message, its first part."),
  },
  "InboundMessage",
);

const page = objectOf(
  "A page of received messages.",
  {
    items: listOf(item, "The messages, the oldest first."),
    nextCursor: textOf("Always there, also at the end: messages that come later are after it.", exampleCursor),
    hasMore: flagOf("Whether there are messages behind this page already.", false),
  },
  "InboundMessagePage",
);
