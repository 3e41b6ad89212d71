/** Fills a data folder as months of service would: through the store's own tables, in big transactions. */
import { type MessageClass, messageClasses } from "../../src/domain/message.ts";
import { measureText } from "../../src/domain/text.ts";
import { trackingCodes } from "../../src/domain/tracking-code.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { NewMessage } from "../../src/store/messages.ts";
import { openStore, type Store, type Tables } from "../../src/store/store.ts";

export const dayMs = 86_400_000;

/** How long the filled service has run: just under the 90 days of retention, so that nothing is deleted while a row is measured. */
const servedMs = 80 * dayMs;
/** How long keys are remembered; those of older messages are gone, as after retention. */
const keysMs = 29 * dayMs;
/** No more: between two of them the index of keys is merged, as in service. */
const messagesPerTransaction = 1_000;
/** Some of the messages have two parts, a client reference, or a final state other than delivered. */
const everyTenth = 10;

const texts = [
  "سلام، کد پیگیری شما ۱۲۳۴۵ است",
  "مشتری گرامی، سفارش شما ثبت شد و تا فردا به دستتان می‌رسد.",
  "Your parcel 4417 is on its way and arrives tomorrow between 9 and 12.",
];
const longText =
  "یادآوری: نوبت شما فردا ساعت ده صبح است؛ لطفاً ده دقیقه زودتر در درمانگاه باشید و دفترچه را همراه بیاورید.";

/** The sender of an account already in the folder, under which messages are stored. */
export interface Origin {
  accountId: number;
  apiKeyId: number;
  senderId: number;
  sender: string;
}

/** What is about to be stored for a message, beyond its origin and its text. */
interface Stamp {
  at: number;
  sendAt: number | null;
  class: MessageClass;
  trackingCode: string;
}

function messageOf({ accountId, senderId, sender }: Origin, index: number, stamp: Stamp): NewMessage {
  const text = index % everyTenth === 0 ? longText : (texts[index % texts.length] ?? longText);
  const number = Math.floor(Math.random() * 1e7);
  return {
    trackingCode: stamp.trackingCode,
    accountId,
    senderId,
    class: stamp.class,
    sender,
    // Ends in two digits for which the simulator simply delivers.
    recipient: `+98912${String(number - (number % 100) + 50).padStart(7, "0")}`,
    text,
    clientReference: index % everyTenth === 1 ? `order-${index}` : null,
    ...measureText(text),
    submittedAt: stamp.at,
    sendAt: stamp.sendAt,
    validUntil: (stamp.sendAt ?? stamp.at) + 2 * dayMs,
  };
}

/** The first origin that the operator made for this sender. Throws if there is none. */
export function originOf(folder: string, sender: string): Origin {
  const store = openStore({ folder, now: Date.now() });
  try {
    const found = store.tables.senders.all().find((row) => row.sender === sender);
    const key = store.tables.keys.all().find(({ accountId }) => accountId === found?.accountId);
    if (found === undefined || key === undefined) throw new Error(`The folder has no sender ${sender} with a key`);
    return { accountId: found.accountId, apiKeyId: key.id, senderId: found.id, sender };
  } finally {
    store.close();
  }
}

async function inTransactions(
  folder: string,
  count: number,
  storeOne: (tables: Tables, index: number) => void,
): Promise<void> {
  const store: Store = openStore({ folder, now: Date.now() });
  for (let start = 0; start < count; start += messagesPerTransaction) {
    const end = Math.min(start + messagesPerTransaction, count);
    await store.write((tables) => {
      for (let index = start; index < end; index += 1) storeOne(tables, index);
    });
  }
  store.close();
}

function remember(tables: Tables, { apiKeyId }: Origin, firstMessageId: number, at: number, messageCount = 1): void {
  const operation = messageCount === 1 ? "POST /v1/messages" : "POST /v1/messages/batch";
  const request = { operation, payloadHash: systemRandom.bytes(32), firstMessageId, messageCount };
  tables.idempotency.insert(apiKeyId, systemRandom.uuid(), request, at);
}

/** Along the status graph, as dispatch and receipts would do. */
function carry(tables: Tables, message: NewMessage, id: number, failed: boolean): void {
  const routeId = 1;
  const at = message.submittedAt;
  const fresh = tables.messages.byId(id);
  const claimed = fresh && tables.messages.move(fresh, { to: "submitting", at: at + 5, routeId, attempts: 1 });
  const sent = claimed && tables.messages.move(claimed, { to: "submitted", at: at + 60 });
  if (sent === null) throw new Error(`Message ${id} could not be carried`);
  for (let number = 1; number <= message.partCount; number += 1) {
    tables.parts.insert(id, number, routeId, `${message.trackingCode}-1-${number}`);
    tables.parts.setReceipt({ messageId: id, number }, failed ? "failed" : "delivered");
  }
  const to = failed ? "failed" : "delivered";
  tables.messages.move(sent, { to, at: at + 4_000, ...(failed && { errorCode: "undeliverable" as const }) });
}

/** Messages of the last 80 days, all final, with their parts; and the keys of the last month. */
export async function fillServed(folder: string, origin: Origin, count: number): Promise<void> {
  const begunAt = Date.now() - servedMs;
  let at = begunAt;
  const codes = trackingCodes({ now: () => at }, systemRandom);
  await inTransactions(folder, count, (tables, index) => {
    at = Math.floor(begunAt + (index * servedMs) / count);
    const stamp = { at, sendAt: null, class: messageClasses.single, trackingCode: codes.next() };
    const message = messageOf(origin, index, stamp);
    const id = tables.messages.insert(message);
    carry(tables, message, id, index % (2 * everyTenth) === 3);
    if (at > Date.now() - keysMs) remember(tables, origin, id, at);
  });
}

const batch = 500;

/** Messages of waiting batches: each due at `dueAt`, or at once where that is null. Returns the id of the first. */
export async function fillWaiting(
  folder: string,
  origin: Origin,
  count: number,
  dueAt: (index: number) => number | null,
): Promise<number> {
  const at = Date.now();
  let firstId = 0;
  const codes = trackingCodes({ now: () => at }, systemRandom);
  await inTransactions(folder, count, (tables, index) => {
    const stamp = { at, sendAt: dueAt(index), class: messageClasses.bulk, trackingCode: codes.next() };
    const id = tables.messages.insert(messageOf(origin, index, stamp));
    if (index === 0) firstId = id;
    if (index % batch === 0) remember(tables, origin, id, at, Math.min(batch, count - index));
  });
  return firstId;
}
