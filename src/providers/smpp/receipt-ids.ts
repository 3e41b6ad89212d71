/** Matches message ids that the submit's answer and the receipt spell differently: in another base or case. */

import { withoutZeros } from "../../domain/provider-id.ts";
import { dropOldest } from "../../platform/drop-oldest.ts";
import type { ReceiptIdForm } from "./options.ts";

const idLengthMax = 64;

const isHex = /^[0-9a-f]+$/i;
const isDecimal = /^\d+$/;
const hasHexLetter = /[a-f]/i;

/**
 * Every spelling under which a receipt's id may have been stored when the submit was answered, best first, without
 * repeats; leading zeros are ignored if `mayBePadded`. `auto`: the same number in the same base; `ReceiptIds` adds the
 * other bases.
 */
export function spellingsOf(id: string, form: ReceiptIdForm): string[] {
  if (form === "exact" || id.length > idLengthMax) return [id];
  const converted = form === "hexToDec" ? decimalToHex(id) : form === "decToHex" ? hexToDecimal(id) : [];
  return converted.length > 0 ? [...new Set(converted)] : sameNumber(id);
}

/** SMSCs pad ids with zeros to any width, in the answer or in the receipt. */
export function mayBePadded(id: string, form: ReceiptIdForm): boolean {
  return form !== "exact" && isHex.test(id);
}

/** Without repeats. Called for every receipt: a set took 0.6 µs. */
function sameNumber(id: string): string[] {
  const number = id.startsWith("0") && isHex.test(id) ? id.replace(/^0+(?=.)/, "") : id;
  const [lower, upper] = [number.toLowerCase(), number.toUpperCase()];
  const spellings = [id];
  if (lower !== id) spellings.push(lower);
  if (upper !== id && upper !== lower) spellings.push(upper);
  return spellings;
}

function hexToDecimal(id: string): string[] {
  return isHex.test(id) ? inBothCases(BigInt(`0x${id}`).toString()) : [];
}

function decimalToHex(id: string): string[] {
  return isDecimal.test(id) ? inBothCases(BigInt(id).toString(16)) : [];
}

const inBothCases = (id: string) => [id.toLowerCase(), id.toUpperCase()];

/** How many ids from answers and spellings from receipts are remembered and compared until the form is known. */
const rememberedMax = 4_096;
/** The form is known when it leads every other by this many receipts; another form may still overtake it. */
const leadMin = 3;
/** With this lead it is settled, for later runs too. */
const settledLeadMin = 12;

const forms = ["exact", "hexToDec", "decToHex"] as const;

export type LearnedForm = (typeof forms)[number];

export const learnedFormOf = (text: string): LearnedForm | null => forms.find((form) => form === text) ?? null;

/** What is settled over restarts. */
export interface SettledForm {
  /** Null if nothing is settled yet. */
  known: LearnedForm | null;
  settle(form: LearnedForm): void;
}

/** A receipt's id as it may have been stored, best first. From `certain` on they are guesses. */
export interface ReceiptSpellings {
  ids: string[];
  certain: number;
}

/**
 * Learns what `auto` means on a route, by comparing the first receipts with the ids in the answers, whichever arrive
 * first. A pair that fits several forms (`7` is the same in both bases) does not count. It is settled once for each
 * carrier: otherwise, where ids are small and sequential, a receipt whose own answer a crash lost would match another
 * message in another base.
 *
 * Until it is known, spellings in other bases are guesses, and made only where they are plausible.
 */
export class ReceiptIds {
  #learned: LearnedForm | null;
  #isSettled: boolean;
  readonly #answered = new Set<string>();
  /**
   * Spellings from receipts that arrived before their answer, each with the forms that lead to it; without leading
   * zeros.
   */
  readonly #early = new Map<string, LearnedForm[]>();
  readonly #votes = { exact: 0, hexToDec: 0, decToHex: 0 };
  #answersHaveLetters = false;
  #receiptsHaveLetters = false;

  constructor(
    readonly form: ReceiptIdForm,
    readonly settled: SettledForm = { known: null, settle: () => undefined },
  ) {
    this.#learned = settled.known;
    this.#isSettled = form !== "auto" || settled.known !== null;
  }

  /** The form that was learned; null until it is known. */
  get learned(): ReceiptIdForm | null {
    return this.form === "auto" ? this.#learned : this.form;
  }

  /** A submit was answered with this id. */
  answered(id: string): void {
    if (this.#isSettled) return;
    this.#answersHaveLetters ||= isHex.test(id) && hasHexLetter.test(id);
    this.#answered.add(withoutZeros(id));
    dropOldest(this.#answered, rememberedMax);
    this.#vote(this.#early.get(withoutZeros(id)) ?? []);
  }

  /** The spellings to look a receipt up by. `submitsOpen`: its submit may not be answered yet. */
  spellings(id: string, submitsOpen: boolean): ReceiptSpellings {
    const converted = this.#isSettled ? null : this.#converted(id, submitsOpen);
    if (converted !== null) this.#learn(converted);
    const known = this.learned;
    if (known !== null || converted === null) {
      const ids = spellingsOf(id, this.form === "auto" && known === "exact" ? "auto" : (known ?? this.form));
      return { ids, certain: ids.length };
    }
    return { ids: [...new Set(forms.flatMap((form) => converted[form]))], certain: converted.exact.length };
  }

  #converted(id: string, submitsOpen: boolean): Record<LearnedForm, string[]> {
    this.#receiptsHaveLetters ||= isHex.test(id) && hasHexLetter.test(id);
    const mayBeOther = !submitsOpen || this.#answered.size === 0;
    return {
      exact: spellingsOf(id, "auto"),
      hexToDec: mayBeOther || this.#answersHaveLetters ? decimalToHex(id) : [],
      decToHex: mayBeOther || this.#receiptsHaveLetters ? hexToDecimal(id) : [],
    };
  }

  #learn(converted: Readonly<Record<LearnedForm, string[]>>): void {
    const seen = forms.filter((form) => converted[form].some((spelling) => this.#answered.has(withoutZeros(spelling))));
    if (seen.length === 0) this.#rememberEarly(converted);
    else this.#vote(seen);
  }

  #rememberEarly(converted: Readonly<Record<LearnedForm, string[]>>): void {
    for (const form of forms) {
      for (const spelling of new Set(converted[form].map(withoutZeros))) {
        const known = this.#early.get(spelling);
        if (known === undefined) this.#early.set(spelling, [form]);
        else if (!known.includes(form)) known.push(form);
      }
    }
    dropOldest(this.#early, rememberedMax);
  }

  #vote(seen: readonly LearnedForm[]): void {
    const [form] = seen;
    if (form === undefined || seen.length > 1) return;
    this.#votes[form] += 1;
    const others = forms.filter((other) => other !== form).map((other) => this.#votes[other]);
    const lead = this.#votes[form] - Math.max(...others);
    if (lead >= leadMin) this.#learned = form;
    if (lead < settledLeadMin || this.#isSettled) return;
    this.#isSettled = true;
    this.settled.settle(form);
    this.#answered.clear();
    this.#early.clear();
  }
}
