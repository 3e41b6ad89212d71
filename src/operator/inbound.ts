/** Inbound messages: a paged search, one message, and the simulator's phone. */

import { Elysia, t } from "elysia";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { normaliseAddress } from "../domain/phone-number.ts";
import type { Directory, Route } from "../messaging/directory/directory.ts";
import { isoTime } from "../platform/clock.ts";
import type { InboundRow } from "../store/inbound.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdText, listedAccountOf } from "./ids.ts";
import { addressSchema, routeNameSchema, timeSchema } from "./schemas.ts";

export type InboundAnswer = ReturnType<typeof inboundAnswer>;

function inboundAnswer(message: InboundRow, directory: Directory) {
  return {
    trackingCode: message.trackingCode,
    /** Null while no line gives the receiver to an account. */
    account: message.accountId === null ? null : accountIdText(message.accountId),
    sender: message.sender,
    receiver: message.receiver,
    message: message.text,
    route: directory.routeById(message.routeId)?.name ?? null,
    unmapped: message.accountId === null,
    partCount: message.partCount,
    partsReceived: message.partsReceived,
    incomplete: message.partsReceived < message.partCount,
    binary: message.octets !== null,
    /** A binary message in hexadecimal; the public API shows only the text. */
    octets: message.octets === null ? null : Buffer.from(message.octets).toString("hex"),
    receivedAt: isoTime(message.receivedAt),
    availableAt: timeOrNull(message.availableAt),
  };
}

const mark = t.Optional(t.BooleanString({ error: "must be true or false" }));

const searchSchema = t.Object({
  account: t.Optional(t.String()),
  sender: t.Optional(addressSchema),
  receiver: t.Optional(addressSchema),
  unmapped: mark,
  incomplete: mark,
  binary: mark,
  from: t.Optional(timeSchema),
  to: t.Optional(timeSchema),
  limit: t.Optional(t.Numeric({ minimum: 1, maximum: 500, error: "must be from 1 to 500" })),
  cursor: t.Optional(t.String({ pattern: "^[0-9a-z]{1,12}$", error: "is none that a search has given" })),
});

const simulationSchema = t.Object({
  from: addressSchema,
  to: addressSchema,
  message: t.String({ minLength: 1, maxLength: 10_000, error: "must be a text of 1 to 10000 characters" }),
  route: t.Optional(routeNameSchema),
});

/** Simulated messages come in by simulator routes only. */
function simulatorOf(directory: Directory, name: string | undefined): Route {
  const named = name === undefined ? directory.routes() : [directory.route(name)];
  const route = named.find((one) => one?.kind === "simulator" && one.enabled);
  if (route !== undefined && route !== null) return route;
  throw new OperatorError(
    "route_not_found",
    `There is no enabled simulator route${name === undefined ? "" : ` ${name}`}. Add one: peyk route add NAME --kind simulator`,
  );
}

export function inboundRoutes({ directory, inbound, facts }: OperatorDeps) {
  const addressOf = (text: string | undefined) =>
    text === undefined ? undefined : normaliseAddress(text, facts.defaultRegion);
  const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

  function existing(trackingCode: string): InboundRow {
    const message = inbound.messages.byCode(trackingCode);
    if (message === null) throw new OperatorError("inbound_not_found");
    return message;
  }

  return new Elysia({ prefix: "/inbound" })
    .get(
      "/",
      async ({ query: { account, sender, receiver, from, to, limit, cursor, ...marks } }) => {
        const filter = {
          ...marks,
          accountId: listedAccountOf(account, directory),
          sender: addressOf(sender),
          receiver: addressOf(receiver),
          from: timeOf(from),
          to: timeOf(to),
        };
        const before = cursor === undefined ? null : Number.parseInt(cursor, 36);
        const page = await inbound.messages.search(filter, before, limit ?? 50);
        return {
          /** Newest first. It may be short, or empty, before the end: a search works a few seconds and can be continued. */
          messages: page.messages.map((message) => inboundAnswer(message, directory)),
          /** Where to go on; null when all messages were looked at. */
          nextCursor: page.continueBefore === null ? null : page.continueBefore.toString(36),
        };
      },
      { query: searchSchema },
    )
    .get("/:trackingCode", ({ params }) => inboundAnswer(existing(params.trackingCode), directory))
    .post(
      "/simulate",
      async ({ body: { from, to, message, route } }) => {
        if (!/^\+?[0-9]+$/.test(addressOf(to) ?? "")) throw invalidRequest([problemOf("to", "digits", {})]);
        const text = { sender: from, receiver: to, text: message };
        return inboundAnswer(existing(await inbound.simulate(simulatorOf(directory, route).id, text)), directory);
      },
      { body: simulationSchema },
    );
}
