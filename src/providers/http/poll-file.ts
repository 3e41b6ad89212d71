/**
 * Reads from an HTTP route's file how to poll the carrier: `reportPoll` for reports, `inboundPoll` for texts from
 * phones.
 */
import type { JsonFileReader } from "../../domain/json-file.ts";
import type { Condition } from "./answer.ts";
import type { FieldRule, ReportRules, TextRules } from "./callbacks.ts";
import { hasList, readRequest } from "./request-file.ts";
import { readConditions, readField, readReportRules, readTextRules, requiredField } from "./rule-files.ts";
import { type RequestTemplate, routePlaceholders } from "./template.ts";

export interface PollRules {
  request: RequestTemplate;
  /** Which answers are valid; any other is a failure, and the question is repeated later. */
  accepted: readonly Condition[];
  /** Path of a list in the answer; null: the answer is one element. */
  each: string | null;
  /** Between two questions. */
  everyMs: number;
}

export interface ReportPollRules extends PollRules, ReportRules {
  /** In one request. */
  ids: number;
  /** Separator between ids in `{{ids}}`. */
  separator: string;
  /** An overdue report is asked for less and less often, down to this interval. */
  everyMsMax: number;
  /** After this time no report is expected any more. */
  forMs: number;
  /** Between two requests while many reports are due. */
  spacingMs: number;
}

/**
 * Where the answer says how far it reached: a path in it, a field of its last element, or the greatest number in a
 * field.
 */
export type CursorRule = { from: "answer" | "last" | "greatest"; field: FieldRule };

export interface InboundPollRules extends PollRules, TextRules {
  /** Numbers to ask for one by one, as `{{line}}`; one empty line if one question covers all. */
  lines: readonly string[];
  cursor: CursorRule | null;
  /** `{{cursor}}` in the first question. */
  cursorStart: string;
  /** A list with fewer elements is the last; null: only an empty one is. */
  pageSize: number | null;
}

const secondMs = 1_000;
const hourMs = 3_600_000;
const idsMax = 500;
const linesMax = 100;
const anySuccess: readonly Condition[] = [{ statuses: [[200, 299]], body: null, json: null }];

/** Puts the id that was asked for into the answer's query, for an answer about one message that does not repeat it. */
export const askedId: FieldRule = { from: "query", name: "id" };
/** The same for the line. */
export const askedLine: FieldRule = { from: "query", name: "line" };

export function readReportPoll(reader: JsonFileReader): ReportPollRules | null {
  return reader.section("reportPoll", (poll) => {
    const request = readRequest(poll, "request", ["id", "ids", ...routePlaceholders]);
    const asksForMany = hasList(request) || uses(request, "ids");
    if (!asksForMany && !uses(request, "id")) {
      poll.problem("request", { code: "asked_ids", values: {} });
    }
    return {
      ...readPollRules(poll, request, 30),
      id: asksForMany ? requiredField(poll, "id") : (readField(poll, "id") ?? askedId),
      ...readReportRules(poll),
      ids: asksForMany ? poll.number("ids", 100, { min: 1, max: idsMax }) : 1,
      separator: poll.text("separator", ",", { lengthMin: 1, lengthMax: 5 }),
      everyMsMax: poll.number("slowestSeconds", 3_600, { min: 1, max: 86_400 }) * secondMs,
      forMs: poll.number("hours", 72, { min: 1, max: 720 }) * hourMs,
      spacingMs: secondMs / poll.number("requestsPerSecond", 5, { min: 0.01, max: 100, fractions: true }),
    };
  });
}

export function readInboundPoll(reader: JsonFileReader): InboundPollRules | null {
  return reader.section("inboundPoll", (poll) => {
    const request = readRequest(poll, "request", ["line", "cursor", ...routePlaceholders]);
    const lines = readLines(poll);
    if (uses(request, "line") && lines === null)
      poll.problem("lines", { code: "needed_by_request", values: { placeholder: "line" } });
    const cursor = poll.section("cursor", readCursor);
    if (uses(request, "cursor") && cursor === null)
      poll.problem("cursor", { code: "needed_by_request", values: { placeholder: "cursor" } });
    return {
      ...readPollRules(poll, request, 10),
      ...readTextRules(poll),
      receiver: lines === null ? requiredField(poll, "receiver") : (readField(poll, "receiver") ?? askedLine),
      lines: lines ?? [""],
      cursor,
      cursorStart: poll.text("cursorStart", "", { lengthMax: 200 }),
      pageSize: poll.number("pageSize", null, { min: 1, max: 1_000 }),
    };
  });
}

function readPollRules(poll: JsonFileReader, request: RequestTemplate, everySeconds: number): PollRules {
  return {
    request,
    accepted: readConditions(poll, "accepted", anySuccess),
    each: poll.text("each", null, { lengthMax: 200 }),
    everyMs: poll.number("everySeconds", everySeconds, { min: 1, max: 3_600 }) * secondMs,
  };
}

const uses = (request: RequestTemplate, name: string) => JSON.stringify(request).includes(`{{${name}}}`);

function readLines(poll: JsonFileReader): string[] | null {
  const value = poll.value("lines");
  if (value === undefined) return null;
  const isLine = (line: unknown): line is string => typeof line === "string" && line !== "" && line.length <= 40;
  if (Array.isArray(value) && value.length > 0 && value.length <= linesMax && value.every(isLine)) return value;
  poll.problem("lines", { code: "asked_lines", values: { max: linesMax } });
  return null;
}

function readCursor(cursor: JsonFileReader): CursorRule | null {
  for (const from of ["answer", "last", "greatest"] as const) {
    const name = cursor.text(from, null, { lengthMin: 1, lengthMax: 200 });
    if (name !== null && cursor.keys().length === 1) return { from, field: { from: "json", name } };
  }
  cursor.problem("", {
    code: "one_of_forms",
    values: { forms: ['{"answer": path}', '{"last": path}', '{"greatest": path}'] },
  });
  return null;
}
