/** The ids that carriers give to parts, and which of them a receipt may refer to. */

/** The id without leading zeros, like `ltrim(id, '0')` in the store. */
export function withoutZeros(id: string): string {
  return id.replace(/^0+/, "");
}

/** True if a receipt's id matches the id of an answer. `anyWidth`: either may have more leading zeros. */
export function isSameId(answered: string, reported: string, anyWidth: boolean): boolean {
  return answered === reported || (anyWidth && withoutZeros(answered) === withoutZeros(reported));
}

/** Shorter number endings match too many subscribers. */
const subscriberDigitsMin = 7;

/** True if two number formats may mean the same subscriber: with or without country code, zeros and plus sign. */
export function mayBeSameSubscriber(one: string, other: string): boolean {
  const [shorter = "", longer = ""] = [one, other]
    .map((number) => withoutZeros(number.replace(/\D/g, "")))
    .sort((a, b) => a.length - b.length);
  return shorter.length >= subscriberDigitsMin && longer.endsWith(shorter);
}
