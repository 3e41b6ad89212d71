/** The simulator's inbox: what its phones received, one-time passwords too. In memory alone, the newest 200. */
import { Elysia, t } from "elysia";
import { normaliseAddress } from "../domain/phone-number.ts";
import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";
import { addressSchema } from "./schemas.ts";

export type PhoneTextAnswer = ReturnType<typeof phoneTextAnswer>;

function phoneTextAnswer(
  { trackingCode, sender, recipient, text, receivedAt }: ReturnType<OperatorDeps["running"]["received"]>[number],
  route: string | null,
) {
  return { trackingCode, sender, recipient, message: text, route, receivedAt: isoTime(receivedAt) };
}

export function simulatorRoutes({ directory, running, facts }: OperatorDeps) {
  return new Elysia({ prefix: "/simulator" }).get(
    "/inbox",
    ({ query: { recipient } }) => {
      const number = recipient === undefined ? undefined : normaliseAddress(recipient, facts.defaultRegion);
      return running
        .received()
        .filter((text) => number === undefined || text.recipient === number)
        .map((text) => phoneTextAnswer(text, directory.routeById(text.routeId)?.name ?? null));
    },
    { query: t.Object({ recipient: t.Optional(addressSchema) }) },
  );
}
