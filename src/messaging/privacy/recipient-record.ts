/** Everything the database holds about one recipient, for an access request. */

import { describeReason } from "../../domain/reason.ts";
import { visibleText } from "../../domain/sealed-text.ts";
import { publicStatusOf } from "../../domain/status.ts";
import { everyAccount } from "../../domain/suppression.ts";
import { isoTime } from "../../platform/clock.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { NamedRow, WalkedTable } from "../../store/recipient-data.ts";
import type { Store } from "../../store/store.ts";

export type RecipientRecord = Awaited<ReturnType<typeof recordOf>>;

/** Ids scanned per turn of the event loop. */
const sliceIds = 5_000;

export async function recordOf(store: Store, number: string) {
  const { recipientData, suppression } = store.tables;
  const idsIn = async (table: WalkedTable) => (await rowsIn(store, table, number)).map(({ id }) => id);
  const messages = (await idsIn("message")).flatMap((id) => recipientData.message(id) ?? []);
  const inbound = (await idsIn("inbound")).flatMap((id) => recipientData.inboundMessage(id) ?? []);
  return {
    number,
    messages: messages.map((message) => messageRecord(store, message)),
    inbound: inbound.map(({ receivedAt, ...text }) => ({ ...text, receivedAt: isoTime(receivedAt) })),
    incompleteInbound: (await idsIn("inbound_assembly")).length,
    oneTimePasswords: (await idsIn("otp_send")).length,
    groups: await memberships(store, number),
    suppressions: suppression.allLists().flatMap((list) => {
      const entry = suppression.inList(list, Number(number.slice(1)));
      if (entry === null) return [];
      const { source, detail, addedAt } = entry;
      return [{ account: list === everyAccount ? null : list, source, detail, addedAt: isoTime(addedAt) }];
    }),
  };
}

async function rowsIn(store: Store, table: WalkedTable, number: string): Promise<NamedRow[]> {
  const { recipientData } = store.tables;
  const found: NamedRow[] = [];
  for (let after = 0; after < recipientData.newestId(table); after += sliceIds) {
    found.push(...recipientData.walk(table, after, after + sliceIds).filter(({ recipient }) => recipient === number));
    await nextTurn();
  }
  return found;
}

function messageRecord({ tables }: Store, message: MessageRow) {
  const { id, trackingCode, accountId, sender, clientReference, submittedAt, finalAt } = message;
  return {
    trackingCode,
    account: accountId,
    sender,
    /** Without the code, for a one-time password. */
    text: visibleText(message.text),
    clientReference,
    status: publicStatusOf(message.state),
    submittedAt: isoTime(submittedAt),
    finalAt: finalAt === null ? null : isoTime(finalAt),
    timeline: tables.timeline
      .ofMessage(id)
      .map(({ at, kind, reason }) => ({ at: isoTime(at), kind, detail: describeReason(reason) })),
    events: tables.recipientData
      .eventsOf(trackingCode)
      .map(({ kind, body, createdAt }) => ({ kind, body, createdAt: isoTime(createdAt) })),
  };
}

async function memberships({ tables }: Store, number: string) {
  const found: { list: number; position: number }[] = [];
  for (const { id, memberCount } of tables.recipientData.memberLists()) {
    for (let from = 0; from < memberCount; from += sliceIds) {
      const members = tables.recipientData.members(id, from, from + sliceIds);
      found.push(
        ...members.flatMap(({ position, recipient }) => (recipient === number ? [{ list: id, position }] : [])),
      );
      await nextTurn();
    }
  }
  return found;
}
