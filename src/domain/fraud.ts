/** Detects SMS pumping: many one-time passwords to a number range, few of them verified. */

/** Codes sent in some time; `challenges` are those whose verification would be seen. */
export interface Conversion {
  sends: number;
  challenges: number;
  verified: number;
}

/** Fewer challenges say nothing about their share. */
const challengesMin = 20;
/** People mistype and give up, yet most of them verify; of paid-for ranges hardly any number does. */
const verifiedShareMin = 0.2;
/** A number without its last four digits stands for a range of ten thousand. */
const lastDigits = 4;

/** The range that an E.164 number belongs to: `+989121234567` is in `+98912123`. */
export function numberRange(e164: string): string {
  return e164.slice(0, -lastDigits);
}

/** Whether too few of the challenges were verified. */
export function isSuspicious({ challenges, verified }: Conversion): boolean {
  return challenges >= challengesMin && verified < challenges * verifiedShareMin;
}

/** Whether a range gets no more codes for now. */
export function isHeldBack(counts: Conversion, sendsMax: number): boolean {
  return counts.sends >= sendsMax || isSuspicious(counts);
}
