/** The ids that carriers give to parts, and which of them a receipt may mean. */

/** What is left of a number when the zeros in front of it do not count. As `ltrim(id, '0')` in the store. */
export function withoutZeros(id: string): string {
  return id.replace(/^0+/, "");
}

/** Whether a receipt's id is the one of an answer. `anyWidth`: either may have more zeros in front. */
export function isSameId(answered: string, reported: string, anyWidth: boolean): boolean {
  return answered === reported || (anyWidth && withoutZeros(answered) === withoutZeros(reported));
}

/** Shorter ends of numbers are those of too many subscribers. */
const subscriberDigitsMin = 7;

/** Whether two spellings of a number may mean one subscriber: with or without country code, zeros and plus sign. */
export function mayBeSameSubscriber(one: string, other: string): boolean {
  const [shorter = "", longer = ""] = [one, other]
    .map((number) => withoutZeros(number.replace(/\D/g, "")))
    .sort((a, b) => a.length - b.length);
  return shorter.length >= subscriberDigitsMin && longer.endsWith(shorter);
}
