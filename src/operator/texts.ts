/** Hides the texts of messages from users who may not read them. */

/** In place of a text. */
export const hiddenText = "••••••";

/** Where answers about messages have them. */
const textFields: ReadonlySet<string> = new Set(["message", "maskedText", "preview", "text", "octets"]);

/** Of an operation that reads messages. */
export function withoutTexts(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutTexts);
  // Files are streamed, and have no texts.
  if (typeof answer !== "object" || answer === null || Object.getPrototypeOf(answer) !== Object.prototype)
    return answer;
  const fields = Object.entries(answer).map(([name, value]) => {
    // Of a campaign, the first words.
    if (name === "begins") return [name, null];
    const isText = typeof value === "string" && textFields.has(name);
    return [name, isText ? hiddenText : withoutTexts(value)];
  });
  return Object.fromEntries(fields);
}
