/** The text that `peyk route test --to` sends over a route. */
import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { messageClasses } from "../domain/message.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { parseMobileNumber } from "../domain/phone-number.ts";
import { isCleanText, measureText } from "../domain/text.ts";
import type { Route } from "../messaging/directory/directory.ts";
import type { Submission } from "../providers/provider.ts";
import type { OperatorDeps } from "./deps.ts";
import { addressSchema, senderSchema } from "./schemas.ts";

/** Characters whose codes differ, or do not exist, in alphabets other than GSM's. */
const defaultText = "Peyk test: @ £ $ é {€}";
const validityMs = 3_600_000;

export const routeTestFields = {
  /** Without it no text is sent. */
  to: t.Optional(addressSchema),
  from: t.Optional(senderSchema),
  text: t.Optional(t.String({ minLength: 1, maxLength: 2000 })),
};

/** Null if no text is to be sent. @throws OperatorError */
export function testSubmission(
  route: Route,
  { to, from, text = defaultText }: Static<TObject<typeof routeTestFields>>,
  { directory, routingPlans, facts, clock }: Pick<OperatorDeps, "directory" | "routingPlans" | "facts" | "clock">,
): Submission | null {
  if (to === undefined) return null;
  const recipient = parseMobileNumber(to, facts.defaultRegion);
  if (recipient === null) throw invalidRequest([problemOf("to", "mobile_number", {})]);
  if (!isCleanText(text)) throw invalidRequest([problemOf("text", "control_characters", {})]);
  const using = directory.activeSenders().find(({ id }) => routingPlans.plans.routesUsedBy(id).includes(route.id));
  const sender = from ?? using?.sender;
  if (sender === undefined) throw invalidRequest([problemOf("from", "no_sender_of_route", {})]);
  const now = clock.now();
  const { encoding, partCount } = measureText(text);
  return {
    // No message has this id, so that a late answer or a receipt changes none.
    messageId: -now,
    accountId: using?.accountId ?? 0,
    trackingCode: `route-test-${now}`,
    sender,
    recipient,
    text,
    encoding,
    partCount,
    class: messageClasses.single,
    validUntil: now + validityMs,
    attempt: 1,
  };
}
