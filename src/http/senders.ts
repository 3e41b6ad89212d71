/** GET /v1/senders: the numbers and names that the account may send under. */
import type { Sender } from "../messaging/directory/directory.ts";
import { type Operation, operation } from "./operation.ts";
import * as reference from "./response-schemas.ts";

export interface SenderLister {
  sendersOf(accountId: number): readonly Sender[];
}

export function senderOperations(directory: SenderLister): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/v1/senders",
      tag: "Senders",
      summary: "Senders of the account",
      description: "Only active senders can be used for sending.",
      permission: "senders:read",
      answers: reference.senderAnswers,
      refusals: [],
      perform: ({ caller }) => ({
        status: 200,
        body: directory.sendersOf(caller.accountId).map(({ sender, active }) => ({ sender, active })),
      }),
    }),
  ];
}
