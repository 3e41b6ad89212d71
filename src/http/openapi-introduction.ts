/** The introduction to the reference: how to begin, and what holds for every operation. */
import { nestingMax } from "../domain/json-limits.ts";
import { simulatedNumbers } from "../domain/sandbox.ts";
import type { ApiTag } from "./operation.ts";
import { valuesMax } from "./request-json.ts";

export const tags: readonly { name: ApiTag | "Events"; description: string }[] = [
  { name: "Messages", description: "Send one message, several, or one later; follow and cancel them." },
  { name: "Senders", description: "The numbers and names that the account may send from." },
  { name: "Approved groups", description: "Recipients that the operator has approved, reached with one request." },
  { name: "Patterns", description: "Approved texts whose variables you fill in." },
  { name: "One-time passwords", description: "Codes that the service makes and verifies, or that you make." },
  { name: "Inbound messages", description: "Messages that were received for the account, read by a cursor." },
  { name: "Webhooks", description: "The addresses that the account's events are sent to." },
  { name: "Events", description: "The requests that your receiver gets, and how to verify them." },
];

/** Contract, "What the service does": without test keys the reference says that there are none. */
const noTestRequests = "A facility for test requests is not active.";

const testKeys = `

## Test keys

A test key works like any other, and its messages reach no phone: a simulator takes them, and they cost and count nothing. Their records carry
\`isTest\` true. The last two digits of the recipient decide what becomes of a message:

| Digits | Outcome |
| --- | --- |
${simulatedNumbers.map(({ ending, outcome }) => `| ${ending} | ${outcome} |`).join("\n")}`;

export const introduction = ({
  batchBytesMax,
  sandbox,
}: {
  batchBytesMax: number;
  sandbox: boolean;
}) => `Send text messages and learn what became of them.

## Begin

\`\`\`sh
curl "$SERVICE/v1/messages" \\
  -H "X-API-Key: $API_KEY" -H "Idempotency-Key: order-1042" -H "Content-Type: application/json" \\
  -d '{"sender": "982000123", "recipient": "09121234567", "message": "Hello"}'
\`\`\`

202 means that the message is stored and will be sent; \`GET /v1/messages/{trackingCode}\` tells what became of it, and a webhook tells it by itself.

## Authentication

Every operation needs an API key in the header \`X-API-Key\`; the operator of the service gives it to you, with its permissions. It is never read
from the query string. A missing key is 401 \`api_key_required\`; an unknown, revoked or expired one 401 \`api_key_invalid\`.

## What holds for every operation

**Order of checks.** Path and method (404, 405), key (401), rate (429), account and permission (403), content type and size (415, 413),
Idempotency-Key (400), JSON (400), replay of a known key (200), fields (400), then what the request names (403, 404, 409).

**Headers.** Every response carries \`X-Correlation-Id\`: your own when you sent a good one (1 to 64 letters, digits, hyphens, underscores,
dots), else a new one. Every response to a valid key carries \`RateLimit-Policy\`, \`RateLimit\` and \`X-RateLimit-Limit\`, \`-Remaining\`,
\`-Reset\`. The window of 60 seconds begins with its first request.

**Idempotency-Key.** 1 to 100 printable ASCII characters, without a comma before a space; remembered for 30 days within the API key. The same key
with the same operation gives the first result again; with another operation it is refused. A request that was refused registers nothing.

**Fields.** Unknown fields are ignored, and an optional field that is null counts as left out. One character is one Unicode code point. A text may
hold line breaks and tabs (each becomes one space), but no other control character and no half of a surrogate pair. Times are ISO 8601 with an offset or Z.
A trailing slash changes nothing.

**Limits.** A body is JSON in UTF-8 with at most 1 MiB (a batch ${batchBytesMax / 1024 / 1024} MiB), ${valuesMax} values and ${nestingMax} levels, and arrives within 20 seconds.
The bodies of one account in flight have at most 32 MiB together.

A path that does not exist is answered with 404 \`not_found\`, a known path with a wrong method with 405 \`method_not_allowed\` and \`Allow\`. There is no CORS:
the API is for back ends only.${sandbox ? testKeys : ` ${noTestRequests}`}`;
