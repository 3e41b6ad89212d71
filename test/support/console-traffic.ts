/** Two accounts with one sender each, and messages from them, for tests of the console. */

import type { ConsoleProcess } from "./console.ts";
import { replyOf } from "./reply.ts";

export interface TestMessage {
  recipient: string;
  account?: string;
  sender?: string;
  sendAt?: string;
  reference?: string;
}

export const plainText = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
export const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/** `acc_1` Clinic sends as 30001, `acc_2` Bank as 30002. */
export async function addAccounts({ api }: Pick<ConsoleProcess, "api">): Promise<void> {
  for (const [name, sender] of [
    ["Clinic", "30001"],
    ["Bank", "30002"],
  ] as const) {
    const { data } = await replyOf(api("POST /accounts", { name }));
    await api("POST /accounts/:id/senders", { id: data?.id ?? "", sender });
  }
}

/** Sends as an operator does; returns the code. */
export async function sendMessage({ api }: Pick<ConsoleProcess, "api">, message: TestMessage): Promise<string> {
  const { recipient, account = "acc_1", sender = "30001", sendAt, reference } = message;
  const { data, error } = await replyOf(
    api("POST /messages", {
      account,
      sender,
      recipients: [recipient],
      message: "Hello",
      idempotencyKey: crypto.randomUUID(),
      ...(sendAt !== undefined && { sendAt }),
      ...(reference !== undefined && { clientReference: reference }),
    }),
  );
  if (error !== null) throw new Error(JSON.stringify(error.value));
  return data.firstTrackingCode;
}

/** Waits until the message has the status. */
export async function reaches({ api }: Pick<ConsoleProcess, "api">, code: string, status: string): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (let seen = ""; seen !== status; ) {
    if (performance.now() > deadline) throw new Error(`${code} never became ${status}: ${seen}`);
    await Bun.sleep(20);
    seen = (await replyOf(api("GET /messages/:trackingCode", { trackingCode: code }))).data?.status ?? "";
  }
}
