/** Masks texts and phone numbers in answers to programs that may not read them. */

/** What people wrote, and what carriers and receivers answered to it. */
const textFields: ReadonlySet<string> = new Set([
  "message",
  "maskedText",
  "text",
  "begins",
  "reply",
  "closedReply",
  "body",
  "query",
  "headers",
  "preview",
  "excerpt",
  "template",
  "latin",
  "persian",
  "samples",
]);
const numberFields: ReadonlySet<string> = new Set(["recipient", "number", "sender", "from", "to", "phone"]);
/** Lines and sender names may be shown: they are the service's own. */
const senderFields: ReadonlySet<string> = new Set([
  "sender",
  "senders",
  "receiver",
  "line",
  "defaultSender",
  "address",
]);

/** In any script's digits; shorter runs are codes and counts. */
const numberInText = /(?<![\p{L}\p{Nd}])\+?\p{Nd}{9,15}(?![\p{L}\p{Nd}])/gu;
const isNumberAlone = /^\+?\d{9,15}$/;

export const numberInPart = (number: string): string => `${number.slice(0, 4)}…${number.slice(-2)}`;

/** `isMobile`: tells a person's number from a line. */
export function masked(answer: unknown, isMobile: (text: string) => boolean): unknown {
  function maskedText(text: string, field: string): string {
    if (senderFields.has(field) && isNumberAlone.test(text) && !isMobile(text)) return text;
    return text.replace(numberInText, numberInPart);
  }

  function maskedValue(value: unknown, field: string): unknown {
    if (typeof value === "string") {
      return textFields.has(field) ? `(masked: ${value.length} characters)` : maskedText(value, field);
    }
    if (typeof value === "number") {
      const isNumber = numberFields.has(field) && isNumberAlone.test(String(value));
      return isNumber ? numberInPart(String(value)) : value;
    }
    if (Array.isArray(value)) return value.map((entry) => maskedValue(entry, field));
    if (typeof value !== "object" || value === null) return value;
    // Of a refusal, it is the service's own sentence.
    const isRefusal = "code" in value && "message" in value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        maskedText(name, ""),
        isRefusal && name === "message" && typeof inner === "string"
          ? maskedText(inner, "")
          : maskedValue(inner, textFields.has(field) ? field : name),
      ]),
    );
  }

  return maskedValue(answer, "");
}
