/** Parses from an intake's file how an accepted call is answered, and fills in the answer. */
import type { JsonFileReader } from "../json-file.ts";
import { parseTemplate, renderTemplate, unknownVariables } from "../template.ts";
import { type AnswerPlaceholder, answerPlaceholders, type IntakeAnswer } from "./intake-template.ts";

const textMax = 2_000;
const depthMax = 6;

const usualBody = { id: "{{trackingCode}}", date: "{{acceptedAt}}", count: "{{count}}", duplicate: "{{duplicate}}" };
const usualAnswer: IntakeAnswer = { status: 200, body: { type: "application/json", json: usualBody }, busyStatus: 429 };

export function readAnswer(reader: JsonFileReader): IntakeAnswer {
  return (
    reader.section("answer", (answer) => {
      const status = answer.number("status", 200, { min: 200, max: 299 });
      const busyStatus = answer.value("busyStatus") === 503 ? 503 : 429;
      if (![undefined, 429, 503].some((known) => known === answer.value("busyStatus")))
        answer.problem("busyStatus", { code: "key_choice", values: { words: ["429", "503"] } });
      const body = readBody(answer, status);
      return { status, body, busyStatus };
    }) ?? usualAnswer
  );
}

function readBody(answer: JsonFileReader, status: number): IntakeAnswer["body"] {
  const json = answer.value("json");
  const text = answer.text("text", null, { lengthMax: textMax });
  const type = answer.text("type", null, {
    lengthMin: 1,
    lengthMax: 100,
    pattern: /^[\x20-\x7e]+$/,
    shape: "media_type",
  });
  if (json !== undefined && text !== null) answer.problem("text", { code: "excludes_key", values: { key: "json" } });
  const isEmpty = status === 204 || status === 205;
  if (isEmpty && (json !== undefined || text !== null))
    answer.problem(json === undefined ? "text" : "json", { code: "body_of_status", values: { status } });
  if (isEmpty) return null;
  if (text !== null) {
    checkText(answer, "text", text);
    return { type: type ?? "text/plain; charset=utf-8", text };
  }
  if (json !== undefined) checkJson(answer, json, depthMax);
  return { type: type ?? "application/json", json: json ?? usualBody };
}

function checkText(answer: JsonFileReader, key: string, text: string): void {
  if (text.length > textMax) answer.problem(key, { code: "key_length", values: { min: 0, max: textMax } });
  for (const name of unknownVariables(parseTemplate(text.slice(0, textMax)), answerPlaceholders))
    answer.problem(key, { code: "unknown_placeholder", values: { name: name.slice(0, 60), meant: null } });
}

function checkJson(answer: JsonFileReader, json: unknown, depth: number): void {
  if (typeof json === "string") checkText(answer, "json", json);
  if (typeof json !== "object" || json === null) return;
  if (depth === 0) answer.problem("json", { code: "nested_too_deep", values: { max: depthMax } });
  else for (const value of Object.values(json)) checkJson(answer, value, depth - 1);
}

export type AnswerValues = Readonly<Record<AnswerPlaceholder, string | number | boolean>>;

/** The body as sent; empty for none. */
export function filledAnswer({ body }: IntakeAnswer, values: AnswerValues): string {
  if (body === null) return "";
  return "text" in body ? String(filled(body.text, values)) : JSON.stringify(filled(body.json, values));
}

/** A text that is a single placeholder keeps its type: `"{{count}}"` becomes a number. */
function filled(content: unknown, values: AnswerValues): unknown {
  if (typeof content === "string") {
    const template = parseTemplate(content);
    const whole =
      template.segments.length === 1 ? answerPlaceholders.find((name) => content === `{{${name}}}`) : undefined;
    if (whole !== undefined) return values[whole];
    const texts = Object.fromEntries(answerPlaceholders.map((name) => [name, String(values[name])]));
    return renderTemplate(template, texts);
  }
  if (Array.isArray(content)) return content.map((one) => filled(one, values));
  if (typeof content !== "object" || content === null) return content;
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, filled(value, values)]));
}
