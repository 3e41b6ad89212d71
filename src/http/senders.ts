/** GET /v1/senders: the numbers and names that the account may send from. */
import type { Sender } from "../messaging/directory/directory.ts";
import { type Operation, operation } from "./operation.ts";
import { flagOf, listOf, objectOf, textOf } from "./response-fields.ts";

export interface SenderLister {
  sendersOf(accountId: number): readonly Sender[];
}

/** Contract, "Sender record". */
const senderRecord = objectOf(
  "A sender of the account.",
  { sender: textOf("The sender.", "982000123"), active: flagOf("Whether it can be used for sending.", true) },
  "Sender",
);

export function senderOperations(directory: SenderLister): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/v1/senders",
      tag: "Senders",
      operationId: "listSenders",
      summary: "Senders of the account",
      description: "Only active senders can be used for sending.",
      permission: "senders:read",
      responses: { 200: { description: "The senders.", body: listOf(senderRecord, "The account's senders.") } },
      errors: [],
      handle: ({ caller }) => ({
        status: 200,
        body: directory.sendersOf(caller.accountId).map(({ sender, active }) => ({ sender, active })),
      }),
    }),
  ];
}
