/**
 * Parses a list of recipients as people write it: which are valid, which are repeated, and which lines cannot be sent
 * to.
 */
import { nextTurn } from "../../platform/next-turn.ts";
import { type RecipientRules, readRecipient, type UnfitRecipient } from "./draft.ts";

/** Numbers parsed per turn of the event loop: below 1 ms for domestic ones, 8 ms for foreign ones. */
const sliceNumbers = 250;

/** An entry that cannot be sent to; `position` counts from 1. */
export interface RefusedRecipient {
  position: number;
  value: string;
  problem: UnfitRecipient["problem"];
}

export interface RecipientList {
  /** E.164, distinct, in the order of the list. */
  recipients: string[];
  /** Entries that repeat an earlier one. */
  repeats: number;
  refused: RefusedRecipient[];
}

export async function readRecipients(entries: readonly string[], rules: RecipientRules): Promise<RecipientList> {
  const known = new Set<string>();
  const list: RecipientList = { recipients: [], repeats: 0, refused: [] };
  for (const [index, value] of entries.entries()) {
    if (index > 0 && index % sliceNumbers === 0) await nextTurn();
    const recipient = readRecipient([value], rules);
    if (typeof recipient !== "string") list.refused.push({ position: index + 1, value, problem: recipient.problem });
    else if (known.has(recipient)) list.repeats += 1;
    else {
      known.add(recipient);
      list.recipients.push(recipient);
    }
  }
  return list;
}
