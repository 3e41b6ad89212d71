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

/** Not one that is partly masked. */
const wholeNumber = /^\+?\d+$/;
const endOf = (number: string) => number.slice(-4);

/**
 * The last four digits of each number in a receipt that is long enough for a subscriber's, joined by spaces: they tell
 * messages apart, and nobody's number can be read from them.
 */
export function numberEndsOf(numbers: readonly string[]): string {
  return numbers
    .filter((number) => number.length >= subscriberDigitsMin && wholeNumber.test(number))
    .map(endOf)
    .join(" ");
}

/** False if a receipt with these ends is surely about another message: it names somebody, and not this recipient. */
export function mayName(numberEnds: string, { sender, recipient }: { sender: string; recipient: string }): boolean {
  const others = numberEnds.split(" ").filter((end) => end !== "" && end !== endOf(sender));
  return (
    others.length === 0 || recipient === "" || others.includes(endOf(recipient)) || endOf(sender) === endOf(recipient)
  );
}
