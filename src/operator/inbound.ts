/** Inbound messages: a paged search, one message, and the simulator's phone. */

import { Type as t } from "@sinclair/typebox";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { nationalNumber, normaliseAddress } from "../domain/phone-number.ts";
import type { Directory, Route } from "../messaging/directory/directory.ts";
import { isoTime } from "../platform/clock.ts";
import type { InboundRow } from "../store/inbound.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountField, addressSchema, shortNameSchema } from "./field-schema.ts";
import { accountIdText, listedAccountOf } from "./ids.ts";
import { changes, reads } from "./operation.ts";
import { limitField, timeSchema, told, truthField } from "./schemas.ts";

export type InboundAnswer = ReturnType<typeof inboundAnswer>;

function inboundAnswer(message: InboundRow, { directory, facts }: Pick<OperatorDeps, "directory" | "facts">) {
  return {
    trackingCode: message.trackingCode,
    /** Null while no line assigns the receiving number to an account. */
    account: message.accountId === null ? null : accountIdText(message.accountId),
    sender: message.sender,
    senderAtHome: nationalNumber(message.sender, facts.defaultRegion),
    receiver: message.receiver,
    message: message.text,
    route: directory.routeById(message.routeId)?.name ?? null,
    unmapped: message.accountId === null,
    partCount: message.partCount,
    partsReceived: message.partsReceived,
    incomplete: message.partsReceived < message.partCount,
    binary: message.octets !== null,
    /** A binary message in hexadecimal; the public API only shows text. */
    octets: message.octets === null ? null : Buffer.from(message.octets).toString("hex"),
    receivedAt: isoTime(message.receivedAt),
    availableAt: timeOrNull(message.availableAt),
  };
}

/** Simulated messages only arrive through simulator routes. */
function simulatorOf(directory: Directory, name: string | undefined): Route {
  const named = name === undefined ? directory.routes() : [directory.route(name)];
  const route = named.find((one) => one?.kind === "simulator" && one.enabled);
  if (route !== undefined && route !== null) return route;
  throw new OperatorError("route_not_found", { code: "no_simulator", values: { name: name ?? null } });
}

const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

const addressOf = ({ facts }: OperatorDeps, text: string | undefined) =>
  text === undefined ? undefined : normaliseAddress(text, facts.defaultRegion);

function existing({ inbound }: OperatorDeps, trackingCode: string): InboundRow {
  const message = inbound.messages.byCode(trackingCode);
  if (message === null) throw new OperatorError("inbound_not_found");
  return message;
}

export const inboundAdmin = {
  "GET /inbound": reads({
    may: "inbound.read",
    scope: "account",
    input: {
      account: accountField,
      sender: t.Optional(addressSchema),
      receiver: t.Optional(addressSchema),
      unmapped: truthField,
      incomplete: truthField,
      binary: truthField,
      from: t.Optional(timeSchema),
      to: t.Optional(timeSchema),
      limit: limitField,
      cursor: t.Optional(t.String({ pattern: "^[0-9a-z]{1,12}$", ...told("cursor", {}) })),
    },
    run: async (deps, { account, sender, receiver, from, to, limit, cursor, ...marks }) => {
      const { directory, inbound } = deps;
      const filter = {
        ...marks,
        accountId: listedAccountOf(account, directory),
        sender: addressOf(deps, sender),
        receiver: addressOf(deps, receiver),
        from: timeOf(from),
        to: timeOf(to),
      };
      const before = cursor === undefined ? null : Number.parseInt(cursor, 36);
      const page = await inbound.messages.search(filter, before, limit ?? 50);
      return {
        /**
         * Newest first. A page may be short or empty before the end: a search runs for a few seconds and can be
         * continued.
         */
        messages: page.messages.map((message) => inboundAnswer(message, deps)),
        /** Cursor of the next page; null when all messages were searched. */
        nextCursor: page.continueBefore === null ? null : page.continueBefore.toString(36),
      };
    },
  }),
  "GET /inbound/:trackingCode": reads({
    may: "inbound.read",
    scope: ({ trackingCode }, { inbound }) => inbound.messages.byCode(String(trackingCode))?.accountId ?? null,
    input: { trackingCode: t.String() },
    run: (deps, { trackingCode }) => inboundAnswer(existing(deps, trackingCode), deps),
  }),
  "POST /inbound/simulate": changes({
    may: "simulator.use",
    input: {
      from: addressSchema,
      to: addressSchema,
      message: t.String({ minLength: 1, maxLength: 10_000 }),
      route: t.Optional(shortNameSchema),
    },
    run: async (deps, { from, to, message, route }) => {
      const { directory, inbound } = deps;
      if (!/^\+?[0-9]+$/.test(addressOf(deps, to) ?? "")) throw invalidRequest([problemOf("to", "digits", {})]);
      const text = { sender: from, receiver: to, text: message };
      return inboundAnswer(existing(deps, await inbound.simulate(simulatorOf(directory, route).id, text)), deps);
    },
    audit: {
      action: "inbound.simulate",
      target: ({ to }) => to,
      told: ({ from }, { trackingCode }) => ({ from, trackingCode }),
    },
  }),
};
