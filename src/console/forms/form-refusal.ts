/** Why a form is refused before its page sees it, in both languages. */

import { numbersOf } from "../../words/numbers.ts";
import type { Language } from "../language.ts";

type Sentences = Readonly<Record<Language, (limit: number) => string>>;

interface Refusal extends Sentences {
  status: 400 | 408 | 411 | 413 | 429;
}

const inPersian = (limit: number) => numbersOf.fa.whole.format(limit);

export const formRefusals = {
  noForm: {
    status: 400,
    en: () => "This is not a form of this console.",
    fa: () => "این فرم از صفحه‌های این کنسول نیست.",
  },
  noLength: {
    status: 411,
    en: () => "A form must say its length.",
    fa: () => "فرم باید اندازهٔ خود را بگوید.",
  },
  tooManyBytes: {
    status: 413,
    en: (limit) => `This form may have at most ${limit} bytes.`,
    fa: (limit) => `این فرم حداکثر ${inPersian(limit)} بایت می‌پذیرد.`,
  },
  tooManyFields: {
    status: 413,
    en: (limit) => `This form may have at most ${limit} fields.`,
    fa: (limit) => `این فرم حداکثر ${inPersian(limit)} خانه می‌پذیرد.`,
  },
  tooMuchTyped: {
    status: 413,
    en: (limit) => `What is typed into this form may have at most ${limit} bytes.`,
    fa: (limit) => `نوشته‌های این فرم حداکثر ${inPersian(limit)} بایت می‌تواند باشد.`,
  },
  tooSlow: {
    status: 408,
    en: () => "This form took too long to arrive.",
    fa: () => "رسیدن این فرم بیش از اندازه طول کشید.",
  },
  othersArrive: {
    status: 429,
    en: () => "Wait until your other forms have arrived.",
    fa: () => "صبر کنید تا فرم‌های دیگرتان برسند.",
  },
  crowded: {
    status: 429,
    en: () => "Too many forms arrive at once. Send this one again.",
    fa: () => "فرم‌های بسیاری هم‌زمان می‌رسند. این یکی را دوباره بفرستید.",
  },
} as const satisfies Readonly<Record<string, Refusal>>;

export type FormRefusalCode = keyof typeof formRefusals;

export class FormRefused extends Error {
  override readonly name = "FormRefused";
  readonly status: Refusal["status"];
  readonly #code: FormRefusalCode;
  readonly #limit: number;

  /** `limit`: the one that was exceeded, where the sentence names one. */
  constructor(code: FormRefusalCode, limit = 0) {
    super(formRefusals[code].en(limit));
    this.status = formRefusals[code].status;
    this.#code = code;
    this.#limit = limit;
  }

  sentence(language: Language): string {
    return formRefusals[this.#code][language](this.#limit);
  }
}
