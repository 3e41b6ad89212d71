/** Reads a carrier's template: its requests, its answers, its callbacks, the questions to it. */
import type { RouteFileReader } from "../route-file.ts";
import { readBatchRules } from "./batch-file.ts";
import { readCallerRules } from "./caller-file.ts";
import { readInboundPoll, readReportPoll } from "./poll-file.ts";
import type { HttpTemplate } from "./provider-template.ts";
import { hasList, readRequest } from "./request-file.ts";
import { readAnswerRules, readConditions, readInboundRules, readReceiptRules } from "./rule-files.ts";
import { eachKey } from "./template.ts";

export function readTemplate(reader: RouteFileReader): HttpTemplate {
  const request = readRequest(reader, "request");
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
