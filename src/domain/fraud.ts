/** Detects SMS pumping: many one-time passwords to one number range, few of them verified. */

/** Codes sent in some period; `challenges` are those whose verification Peyk would see. */
export interface Conversion {
  sends: number;
  challenges: number;
  verified: number;
}

/** With fewer challenges, the share is meaningless. */
const challengesMin = 20;
/** People mistype and give up, yet most verify; in ranges used for fraud hardly any number does. */
const verifiedShareMin = 0.2;
/** A number without its last four digits identifies a range of ten thousand. */
const lastDigits = 4;

/** The range of an E.164 number: `+989121234567` is in `+98912123`. */
export function numberRange(e164: string): string {
  return e164.slice(0, -lastDigits);
}

/** True if too few of the challenges were verified. */
export function isSuspicious({ challenges, verified }: Conversion): boolean {
  return challenges >= challengesMin && verified < challenges * verifiedShareMin;
}

/** True if a range gets no more codes for now. */
export function isHeldBack(counts: Conversion, sendsMax: number): boolean {
  return counts.sends >= sendsMax || isSuspicious(counts);
}
