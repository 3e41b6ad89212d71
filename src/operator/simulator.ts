/** The simulator's inbox: what its phones received, including one-time passwords. In memory only, the newest 200. */
import { Type as t } from "@sinclair/typebox";
import { normaliseAddress } from "../domain/phone-number.ts";
import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";
import { addressSchema } from "./field-schema.ts";
import { reads } from "./operation.ts";

export type PhoneTextAnswer = ReturnType<typeof phoneTextAnswer>;

function phoneTextAnswer(
  { trackingCode, sender, recipient, text, receivedAt }: ReturnType<OperatorDeps["running"]["received"]>[number],
  route: string | null,
) {
  return { trackingCode, sender, recipient, message: text, route, receivedAt: isoTime(receivedAt) };
}

export const simulatorAdmin = {
  "GET /simulator/inbox": reads({
    may: "simulator.read",
    input: { recipient: t.Optional(addressSchema) },
    run: ({ directory, running, facts }, { recipient }) => {
      const number = recipient === undefined ? undefined : normaliseAddress(recipient, facts.defaultRegion);
      return running
        .received()
        .filter((text) => number === undefined || text.recipient === number)
        .map((text) => phoneTextAnswer(text, directory.routeById(text.routeId)?.name ?? null));
    },
  }),
};
