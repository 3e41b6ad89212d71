/** Reads a carrier's template: its requests, answers, callbacks and polls. */
import type { JsonFileReader } from "../../domain/json-file.ts";
import type { BatchRules } from "./batch-answer.ts";
import { readCallerRules } from "./caller-file.ts";
import { readInboundPoll, readReportPoll } from "./poll-file.ts";
import type { HttpTemplate } from "./provider-template.ts";
import { hasList, readRequest } from "./request-file.ts";
import {
  readAnswerRules,
  readConditions,
  readIdRule,
  readInboundRules,
  readOutcomeRules,
  readReceiptRules,
} from "./rule-files.ts";
import {
  channelPlaceholders,
  eachKey,
  isPlaceholder,
  type PlaceholderName,
  placeholdersIn,
  type RequestTemplate,
} from "./template.ts";

export function readTemplate(reader: JsonFileReader, isOfChannel: boolean): HttpTemplate {
  const request = isOfChannel ? readChannelRequest(reader) : readRequest(reader, "request");
  const batch = readBatchRules(reader);
  if (batch !== null && !hasList(request)) reader.problem("batch", { code: "list_missing", values: { key: eachKey } });
  if (batch === null && hasList(request)) reader.problem("batch", { code: "list_unread", values: { key: eachKey } });
  return {
    request,
    answer: readAnswerRules(reader),
    batch,
    receipts: readReceiptRules(reader),
    inbound: readInboundRules(reader),
    reportPoll: readReportPoll(reader),
    inboundPoll: readInboundPoll(reader),
    caller: readCallerRules(reader),
    probe: reader.section("probe", (probe) => ({
      request: readRequest(probe, "request"),
      accepted: readConditions(probe, "accepted", [{ statuses: [[200, 299]], body: null, json: null }]),
    })),
  };
}

function readChannelRequest(reader: JsonFileReader): RequestTemplate {
  const request = readRequest(reader, "request", channelPlaceholders);
  const brings = placeholdersIn(JSON.stringify(request)).some((name) => ["code", "codeSpoken", "text"].includes(name));
  if (request.url !== "" && !brings) reader.problem("request", { code: "code_missing", values: {} });
  return request;
}

const messagesMax = 1_000;

export function readBatchRules(reader: JsonFileReader): BatchRules | null {
  return reader.section("batch", (batch) => ({
    messages: batch.number("messages", 100, { min: 2, max: messagesMax }),
    waitMs: batch.number("waitMs", 20, { min: 0, max: 1_000 }),
    list: batch.text("list", "", { lengthMax: 200 }),
    key: batch.section("key", (key) => ({
      path: key.requiredText("json", { lengthMax: 200 }),
      value: readKeyValue(key),
    })),
    // A message is accepted unless its own answer says otherwise: the answer as a whole is accepted already.
    rules: {
      unauthorised: [],
      ...readOutcomeRules(batch, {
        throttled: [],
        temporary: [],
        accepted: [{ statuses: [], body: null, json: null }],
      }),
      id: readIdRule(batch),
    },
  }));
}

/** `"equals": "{{trackingCode}}"`: matches the message with this value. */
function readKeyValue(key: JsonFileReader): PlaceholderName {
  const [name = ""] = placeholdersIn(key.requiredText("equals", { lengthMax: 100 }));
  if (isPlaceholder(name)) return name;
  key.problem("equals", { code: "message_placeholder", values: {} });
  return "trackingCode";
}
