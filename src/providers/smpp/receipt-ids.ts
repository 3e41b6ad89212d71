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
  return [...new Set(converted.length > 0 ? converted : sameNumber(id))];
}

/** SMSCs pad ids with zeros to any width, in the answer or in the receipt. */
export function mayBePadded(id: string, form: ReceiptIdForm): boolean {
  return form !== "exact" && isHex.test(id);
}

function sameNumber(id: string): string[] {
  return [id, ...inBothCases(isHex.test(id) ? id.replace(/^0+(?=.)/, "") : id)];
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
/** The form is known when it leads every other by this many receipts. */
const leadMin = 3;

const forms = ["exact", "hexToDec", "decToHex"] as const;

type Form = (typeof forms)[number];

/**
 * Learns what `auto` means on a route, by comparing the first receipts with the ids in the answers, whichever arrive
 * first. A pair that fits several forms (`7` is the same in both bases) does not count.
 *
 * Until then other bases are tried too, but only where plausible: a decimal id read as hexadecimal could match another
 * message if its receipt arrives before its own answer is stored.
 */
export class ReceiptIds {
  #learned: Form | null = null;
  readonly #answered = new Set<string>();
  /**
   * Spellings from receipts that arrived before their answer, each with the forms that lead to it; without leading
   * zeros.
   */
  readonly #early = new Map<string, Form[]>();
  readonly #votes = { exact: 0, hexToDec: 0, decToHex: 0 };
  #answersHaveLetters = false;
  #receiptsHaveLetters = false;

  constructor(readonly form: ReceiptIdForm) {}

  /** The form that was learned; null until it is known. */
  get learned(): ReceiptIdForm | null {
    return this.form === "auto" ? this.#learned : this.form;
  }

  /** A submit was answered with this id. */
  answered(id: string): void {
    if (this.learned !== null) return;
    this.#answersHaveLetters ||= isHex.test(id) && hasHexLetter.test(id);
    this.#answered.add(withoutZeros(id));
    dropOldest(this.#answered, rememberedMax);
    this.#vote(this.#early.get(withoutZeros(id)) ?? []);
  }

  /** The spellings to look a receipt up by. `submitsOpen`: its submit may not be answered yet. */
  spellings(id: string, submitsOpen: boolean): string[] {
    if (this.form !== "auto") return spellingsOf(id, this.form);
    if (this.#learned !== null) return spellingsOf(id, this.#learned === "exact" ? "auto" : this.#learned);
    this.#receiptsHaveLetters ||= isHex.test(id) && hasHexLetter.test(id);
    const mayBeOther = !submitsOpen || this.#answered.size === 0;
    const converted = {
      exact: spellingsOf(id, "auto"),
      hexToDec: mayBeOther || this.#answersHaveLetters ? decimalToHex(id) : [],
      decToHex: mayBeOther || this.#receiptsHaveLetters ? hexToDecimal(id) : [],
    };
    this.#learn(converted);
    return [...new Set(forms.flatMap((form) => converted[form]))];
  }

  #learn(converted: Readonly<Record<Form, string[]>>): void {
    const seen = forms.filter((form) => converted[form].some((spelling) => this.#answered.has(withoutZeros(spelling))));
    if (seen.length === 0) this.#rememberEarly(converted);
    else this.#vote(seen);
  }

  #rememberEarly(converted: Readonly<Record<Form, string[]>>): void {
    for (const form of forms) {
      for (const spelling of new Set(converted[form].map(withoutZeros))) {
        const known = this.#early.get(spelling);
        if (known === undefined) this.#early.set(spelling, [form]);
        else if (!known.includes(form)) known.push(form);
      }
    }
    dropOldest(this.#early, rememberedMax);
  }

  #vote(seen: readonly Form[]): void {
    const [form] = seen;
    if (form === undefined || seen.length > 1) return;
    this.#votes[form] += 1;
    const others = forms.filter((other) => other !== form).map((other) => this.#votes[other]);
    if (this.#votes[form] - Math.max(...others) < leadMin) return;
    this.#learned = form;
    this.#answered.clear();
    this.#early.clear();
  }
}
