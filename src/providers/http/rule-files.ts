/** Reads the rules of an HTTP route's file: conditions on answers, places of ids, fields of callbacks. */

import { type JsonFileReader, required } from "../../domain/json-file.ts";
import { type MessageErrorCode, messageErrorCodes } from "../../domain/message.ts";
import { type AnswerRules, type Condition, defaultRules, type IdRule } from "./answer.ts";
import {
  emptyAnswer,
  type FieldRule,
  type InboundRules,
  type ProviderCallbackAnswer,
  type ReceiptRules,
  type ReportRules,
  type TextRules,
} from "./callbacks.ts";

const pathBounds = { lengthMin: 1, lengthMax: 200 };
const conditionsMax = 20;

export function readAnswerRules(reader: JsonFileReader): AnswerRules {
  const rules = reader.section("answer", (answer) => ({
    unauthorised: readConditions(answer, "unauthorised", defaultRules.unauthorised),
    ...readOutcomeRules(answer, defaultRules),
    id: readIdRule(answer),
  }));
  return rules ?? defaultRules;
}

/** What an answer means for a message. */
export function readOutcomeRules(
  reader: JsonFileReader,
  otherwise: Pick<AnswerRules, "throttled" | "temporary" | "accepted">,
): Omit<AnswerRules, "unauthorised" | "id"> {
  return {
    throttled: readConditions(reader, "throttled", otherwise.throttled),
    temporary: readConditions(reader, "temporary", otherwise.temporary),
    recipientInvalid: readConditions(reader, "recipientInvalid", []),
    // If a file defines answers, a refusal that it does not define is not the message's fault.
    rejected: readConditions(reader, "rejected", []),
    accepted: readConditions(reader, "accepted", otherwise.accepted),
  };
}

/** One condition, or a list. */
export function readConditions(
  reader: JsonFileReader,
  key: string,
  otherwise: readonly Condition[],
): readonly Condition[] {
  const value = reader.value(key);
  if (value === undefined) return otherwise;
  const list = Array.isArray(value) ? value : [value];
  if (list.length > conditionsMax)
    reader.problem(key, { code: "entries_max", values: { max: conditionsMax, what: "conditions" } });
  return list.slice(0, conditionsMax).flatMap((element: unknown, index) => {
    const elementKey = Array.isArray(value) ? `${key}[${index}]` : key;
    return reader.object(elementKey, element, readCondition) ?? [];
  });
}

function readCondition(condition: JsonFileReader): Condition {
  const read = {
    statuses: readStatuses(condition),
    body: readPattern(condition, "body"),
    json: condition.section("json", (json) => ({
      path: readPath(json),
      values: readValues(json),
    })),
  };
  const isEmpty = read.statuses.length === 0 && read.body === null && read.json === null;
  if (isEmpty && condition.keys().length === 0) condition.problem("", { code: "condition_empty", values: {} });
  return read;
}

/** Empty for the whole answer, such as a bare number. */
function readPath(json: JsonFileReader): string {
  if (json.value("path") === undefined) json.problem("path", required);
  return json.text("path", "", { lengthMax: 200 });
}

/** `202`, `"2xx"`, or a list of them. */
function readStatuses(condition: JsonFileReader): [number, number][] {
  const value = condition.value("status");
  if (value === undefined) return [];
  const statuses = (Array.isArray(value) ? value : [value]).map(statusRange);
  if (statuses.some((status) => status === null)) {
    condition.problem("status", { code: "status_condition", values: {} });
  }
  return statuses.flatMap((status) => (status === null ? [] : [status]));
}

function statusRange(value: unknown): [number, number] | null {
  if (typeof value === "number" && Number.isInteger(value) && value >= 100 && value <= 599) return [value, value];
  const hundreds = typeof value === "string" ? /^([1-5])xx$/i.exec(value)?.[1] : undefined;
  return hundreds === undefined ? null : [Number(hundreds) * 100, Number(hundreds) * 100 + 99];
}

function readPattern(reader: JsonFileReader, key: string): RegExp | null {
  const source = reader.text(key, null, { lengthMin: 1, lengthMax: 500 });
  if (source === null) return null;
  try {
    return new RegExp(source, "u");
  } catch (error) {
    reader.problem(key, {
      code: "regular_expression",
      values: { reason: error instanceof Error ? error.message : source },
    });
    return null;
  }
}

function readValues(json: JsonFileReader): string[] {
  const value = json.value("equals");
  const values = Array.isArray(value) ? value : [value];
  const isScalar = (element: unknown): element is string | number | boolean =>
    ["string", "number", "boolean"].includes(typeof element);
  if (!values.every(isScalar)) {
    json.problem("equals", { code: "scalar_values", values: {} });
    return [];
  }
  return values.map(String);
}

export function readIdRule(answer: JsonFileReader): IdRule | null {
  if (answer.value("id") === "trackingCode") return { from: "trackingCode" };
  return answer.section("id", readPlace);
}

/** `{"json": "path"}`, `{"body": "an expression with a group"}` or `{"header": "name"}`. */
export function readPlace(id: JsonFileReader): IdRule | null {
  const path = id.text("json", null, { lengthMax: 200 });
  const pattern = readPattern(id, "body");
  const name = id.text("header", null, { ...pathBounds, pattern: /^[\w-]+$/, shape: "header_name" });
  if (id.keys().length !== 1) id.problem("", { code: "id_rule", values: {} });
  if (path !== null) return { from: "json", path };
  if (name !== null) return { from: "header", name };
  return pattern === null ? null : { from: "body", pattern };
}

/** `"name"`, or `{"query": "name"}`, `{"form": "name"}`, `{"json": "path"}`, `{"fixed": "the value"}`. */
export function readField(reader: JsonFileReader, key: string): FieldRule | null {
  const value = reader.value(key);
  if (value === undefined) return null;
  if (typeof value === "string") return { from: "any", name: reader.text(key, "", pathBounds) };
  return reader.section(key, (field) => {
    for (const from of ["query", "form", "json", "fixed"] as const) {
      const name = field.text(from, null, pathBounds);
      if (name !== null && field.keys().length === 1) return { from, name };
    }
    field.problem("", { code: "field_rule", values: {} });
    return null;
  });
}

const noField: FieldRule = { from: "any", name: "" };

export function requiredField(reader: JsonFileReader, key: string): FieldRule {
  if (reader.value(key) === undefined) reader.problem(key, required);
  return readField(reader, key) ?? noField;
}

export function readReceiptRules(reader: JsonFileReader): ReceiptRules | null {
  return reader.section("receipts", (receipts) => ({
    each: receipts.text("each", null, { lengthMax: 200 }),
    id: requiredField(receipts, "id"),
    ...readReportRules(receipts),
    perPart: receipts.section("perPart", (section) => ({
      event: requiredField(section, "event"),
      count: readField(section, "count"),
    })),
    answer: readCallAnswer(receipts),
  }));
}

export function readReportRules(reader: JsonFileReader): Omit<ReportRules, "id"> {
  return {
    state: requiredField(reader, "state"),
    delivered: readWords(reader, "delivered"),
    failed: readFailures(reader),
    detail: readField(reader, "detail"),
    recipient: readField(reader, "recipient"),
  };
}

function readWords(reader: JsonFileReader, key: string): string[] {
  const value = reader.value(key);
  const words = Array.isArray(value) ? value : [value];
  const isWord = (word: unknown): word is string | number => typeof word === "string" || typeof word === "number";
  if (value === undefined || words.length > 100 || !words.every(isWord)) {
    reader.problem(key, { code: "carrier_words", values: {} });
    return [];
  }
  return words.map(String);
}

/** `["2", "16"]`, all undeliverable, or `{"2": "undeliverable", "16": "rejected_by_network"}`. */
function readFailures(receipts: JsonFileReader): Record<string, MessageErrorCode> {
  const value = receipts.value("failed");
  if (Array.isArray(value) || typeof value === "string" || typeof value === "number") {
    return Object.fromEntries(readWords(receipts, "failed").map((word) => [word, "undeliverable"]));
  }
  const failures = receipts.section("failed", (failed) =>
    failed.keys().map((word) => [word, failed.choice(word, messageErrorCodes, "undeliverable")] as const),
  );
  if (value === undefined) receipts.problem("failed", required);
  return Object.fromEntries(failures ?? []);
}

export function readInboundRules(reader: JsonFileReader): InboundRules | null {
  return reader.section("inbound", (inbound) => ({
    each: inbound.text("each", null, { lengthMax: 200 }),
    receiver: requiredField(inbound, "receiver"),
    ...readTextRules(inbound),
    answer: readCallAnswer(inbound),
  }));
}

export function readTextRules(reader: JsonFileReader): Omit<TextRules, "receiver"> {
  return {
    sender: requiredField(reader, "sender"),
    text: requiredField(reader, "text"),
    charset: readField(reader, "charset"),
    id: readField(reader, "id"),
  };
}

/** `"answer": {"status": 200, "type": "application/json", "body": "{\"ok\":true}"}`. */
function readCallAnswer(call: JsonFileReader): ProviderCallbackAnswer {
  const { contentType } = emptyAnswer;
  const answer = call.section("answer", (section) => ({
    status: section.number("status", emptyAnswer.status, { min: 200, max: 299 }),
    contentType: section.text("type", contentType, {
      lengthMin: 1,
      lengthMax: 200,
      pattern: /^[\x20-\x7e]+$/,
      shape: "media_type",
    }),
    body: section.text("body", emptyAnswer.body, { lengthMax: 4096 }),
  }));
  const hasNoBody = answer !== null && [204, 205].includes(answer.status) && answer.body !== "";
  if (hasNoBody) call.problem("answer.body", { code: "body_of_status", values: { status: answer.status } });
  return answer ?? emptyAnswer;
}
