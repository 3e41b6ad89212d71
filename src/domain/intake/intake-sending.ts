/** What a call to an intake asks for: its messages, or nothing to send. */
import { messageLimits } from "../message.ts";
import { type IntakeCall, IntakeReading, intakeProblem } from "./intake-reading.ts";
import { type IntakeRecipients, type IntakeTemplate, intakeLimits } from "./intake-template.ts";

/** One text for some numbers, in any format. */
export interface IntakeMessage {
  sender: string | null;
  recipients: readonly string[];
  text: string;
  reference: string | null;
}

interface SendingKey {
  /** Null if the template or the call has none. */
  key: string | null;
}

export type IntakeSending = SendingKey &
  (
    | { kind: "messages"; messages: readonly IntakeMessage[] }
    | { kind: "group"; group: string; sender: string | null; text: string; reference: string | null }
    | {
        kind: "code";
        sender: string | null;
        recipient: string;
        code: string;
        pattern: string | null;
        reference: string | null;
      }
    /** No element met the conditions. */
    | { kind: "nothing" }
  );

/** Throws ApiError `validation_failed`. */
export function intakeSending(template: IntakeTemplate, call: IntakeCall): IntakeSending {
  const reading = new IntakeReading(call, template);
  const { each, when, key: keyRule } = template;
  const elements = each === null ? [call.body] : reading.list("each", each, call.body, intakeLimits.messagesMax);
  const taken = elements.filter((element) => when.every((condition) => reading.holds(condition, element)));
  const [first] = taken;
  if (taken.length === 0) return { kind: "nothing", key: null };
  const keys = keyRule === null ? [] : taken.map((element) => reading.text("key", keyRule, element));
  // An element without a key would be sent again and again under the keys of the others.
  const key = keys.length === 0 || keys.includes("") ? null : keys.join("\n");
  const { content, to } = template;
  if (content.kind === "code") return { ...codeOf(template, content, reading, first), key };
  const messages = taken.map((element) => ({
    sender: optional(template, "sender", reading, element),
    recipients: to.kind === "group" ? [] : recipientsOf(template, to, reading, element),
    // Alternatives that were empty leave their spaces and line breaks.
    text: reading.text("text", content.text, element).trim(),
    reference: optional(template, "reference", reading, element),
  }));
  const [only] = messages;
  if (to.kind === "group" && only !== undefined) {
    const { recipients: _, ...sent } = only;
    return { kind: "group", group: to.code, ...sent, key };
  }
  const count = messages.reduce((sum, { recipients }) => sum + recipients.length, 0);
  if (count > intakeLimits.messagesMax)
    throw intakeProblem("to", "too_many", `A call may stand for at most ${intakeLimits.messagesMax} messages.`);
  return { kind: "messages", messages, key };
}

function codeOf(
  template: IntakeTemplate,
  content: Extract<IntakeTemplate["content"], { kind: "code" }>,
  reading: IntakeReading,
  element: unknown,
) {
  const recipients = template.to.kind === "group" ? [] : recipientsOf(template, template.to, reading, element);
  const [recipient, another] = recipients;
  if (recipient === undefined || another !== undefined)
    throw intakeProblem("to", "too_many", "A one-time password goes to one recipient.");
  return {
    kind: "code" as const,
    sender: optional(template, "sender", reading, element),
    recipient,
    code: reading.text("code", content.code, element).trim(),
    pattern: content.pattern,
    reference: optional(template, "reference", reading, element),
  };
}

/** Null for an empty text. A reference is cut to the API's limit. */
function optional(
  template: IntakeTemplate,
  field: "sender" | "reference",
  reading: IntakeReading,
  element: unknown,
): string | null {
  const rule = template[field];
  const text = rule === null ? "" : reading.text(field, rule, element).trim();
  if (text === "") return null;
  const { referenceMax } = messageLimits;
  return field === "reference" ? [...text.slice(0, 2 * referenceMax)].slice(0, referenceMax).join("") : text;
}

/** Distinct recipients. Throws if there are none. */
function recipientsOf(
  { isInternational }: IntakeTemplate,
  to: Exclude<IntakeRecipients, { kind: "group" }>,
  reading: IntakeReading,
  element: unknown,
): readonly string[] {
  if (to.kind === "numbers") return to.numbers;
  const [piece, another] = to.value.pieces;
  const isWhole = piece !== undefined && typeof piece !== "string" && another === undefined;
  const found = isWhole ? reading.choose(piece.choice, element) : reading.text("to", to.value, element);
  const given: readonly unknown[] = Array.isArray(found)
    ? found
    : found === undefined
      ? []
      : splitNumbers(String(found));
  const numbers = given.flatMap((one) =>
    typeof one === "string" || typeof one === "number" ? [String(one).trim()] : [],
  );
  if (numbers.length < given.length) throw intakeProblem("to", "invalid_type", "A recipient is no text.");
  const distinct = [...new Set(numbers)].filter((number) => number !== "");
  if (distinct.length === 0) throw intakeProblem("to", "required", "The call names no recipient.");
  if (distinct.length > intakeLimits.messagesMax)
    throw intakeProblem("to", "too_many", `A call may have at most ${intakeLimits.messagesMax} recipients.`);
  return isInternational ? distinct.map(withPlus) : distinct;
}

function splitNumbers(text: string): string[] {
  return text.split(/[,;\n،؛]/, intakeLimits.messagesMax + 2);
}

const withPlus = (number: string): string => (/^[1-9][0-9]{6,14}$/.test(number) ? `+${number}` : number);
