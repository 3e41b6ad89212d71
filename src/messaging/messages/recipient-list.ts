/**
 * Parses a list of recipients as people write it: which are valid, which are repeated, and which lines cannot be sent
 * to.
 */
import { type Countries, isInCountries } from "../../domain/country.ts";
import { parseMobileNumber, type RecipientNumbers } from "../../domain/phone-number.ts";
import { nextTurn } from "../../platform/next-turn.ts";

/** Numbers parsed per turn of the event loop: below 1 ms for domestic ones, 8 ms for foreign ones. */
const sliceNumbers = 250;

export type RecipientProblem = "not_mobile" | "country_not_allowed";

/** An entry that cannot be sent to; `position` counts from 1. */
export interface RefusedRecipient {
  position: number;
  value: string;
  problem: RecipientProblem;
}

export interface RecipientList {
  /** E.164, distinct, in the order of the list. */
  recipients: string[];
  /** Entries that repeat an earlier one. */
  repeats: number;
  refused: RefusedRecipient[];
}

export interface RecipientListRules {
  defaultRegion: string;
  numbers: RecipientNumbers;
  countries: Countries;
}

export async function readRecipients(
  entries: readonly string[],
  { defaultRegion, numbers, countries }: RecipientListRules,
): Promise<RecipientList> {
  const known = new Set<string>();
  const list: RecipientList = { recipients: [], repeats: 0, refused: [] };
  for (const [index, value] of entries.entries()) {
    if (index > 0 && index % sliceNumbers === 0) await nextTurn();
    const recipient = parseMobileNumber(value, defaultRegion, numbers);
    const refuse = (problem: RecipientProblem) => list.refused.push({ position: index + 1, value, problem });
    if (recipient === null) refuse("not_mobile");
    else if (!isInCountries(recipient, countries)) refuse("country_not_allowed");
    else if (known.has(recipient)) list.repeats += 1;
    else {
      known.add(recipient);
      list.recipients.push(recipient);
    }
  }
  return list;
}
