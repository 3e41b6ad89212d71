/** Presets for known providers: each turns a few keys into the whole template. */
import type { RouteFileReader } from "../route-file.ts";
import { emptyAnswer } from "./callbacks.ts";
import { readCallerRules } from "./caller-file.ts";
import type { HttpTemplate } from "./provider-template.ts";
import { readUrl } from "./request-file.ts";

type Preset = (reader: RouteFileReader) => HttpTemplate;

/**
 * Kannel's sendsms (Kannel User Guide, "Using the HTTP Interface to Send SMS Messages"). Its answer holds no id, so
 * the receipt's URL carries the tracking code, which serves as the id. `dlr-mask` 19: delivered (1), not delivered (2),
 * refused by the SMSC (16). Kannel calls the receipt's URL once, unless its smsbox group has `http-request-retry`. Texts
 * other than GSM go as UTF-8 with coding 2, which Kannel turns into UCS-2.
 *
 * Inbound: `get-url = "<callbackUrl>/<secret>/inbound?from=%p&to=%P&text=%b&charset=%C&id=%I"` in its sms-service group,
 * with `max-messages = 0`. `%b` keeps the text as it is (`%a` squeezes its spaces, and with them UTF-16), and `%C` says
 * UTF-16BE for everything that is not GSM.
 */
function kannel(reader: RouteFileReader): HttpTemplate {
  const url = readUrl(reader);
  const login = { username: "{{username}}", password: "{{password}}" };
  const smsc = reader.text("smsc", "", { lengthMax: 100, pattern: /^[^{}]*$/, shape: "a Kannel smsc-id" });
  if (reader.value("username") === undefined) reader.problem("username", "is required");
  if (reader.value("password") === undefined) reader.problem("passwordFile", "is required");
  const hasReceipts = reader.value("callbackUrl") !== undefined;
  const receiptQuery = { "dlr-mask": "19", "dlr-url": "{{receiptUrl}}?id={{trackingCode}}&state=%d&answer=%A" };
  const query = {
    ...login,
    smsc,
    from: "{{sender}}",
    to: "{{recipient}}",
    text: "{{text}}",
    coding: "{{coding}}",
    charset: "UTF-8",
    validity: "{{validityMinutes}}",
    ...(hasReceipts ? receiptQuery : {}),
  };
  const request = { method: "GET", url, headers: {}, body: null } as const;
  return {
    request: { ...request, query },
    answer: {
      unauthorised: [{ statuses: [[403, 403]], body: null, json: null }],
      throttled: [],
      temporary: [{ statuses: [[500, 599]], body: null, json: null }],
      recipientInvalid: [],
      rejected: [{ statuses: [[400, 499]], body: null, json: null }],
      accepted: [{ statuses: [[202, 202]], body: /^[03]:/, json: null }],
      id: { from: "trackingCode" },
    },
    batch: null,
    receipts: {
      each: null,
      id: { from: "query", name: "id" },
      state: { from: "query", name: "state" },
      delivered: ["1"],
      failed: { "2": "undeliverable", "16": "rejected_by_network" },
      detail: { from: "query", name: "answer" },
      recipient: null,
      answer: emptyAnswer,
    },
    inbound: {
      each: null,
      sender: { from: "query", name: "from" },
      receiver: { from: "query", name: "to" },
      text: { from: "query", name: "text" },
      charset: { from: "query", name: "charset" },
      id: { from: "query", name: "id" },
      answer: emptyAnswer,
    },
    reportPoll: null,
    inboundPoll: null,
    caller: readCallerRules(reader),
    // Without a recipient Kannel checks the credentials first and then reports what is missing.
    probe: {
      request: { ...request, query: login },
      accepted: [{ statuses: [[400, 400]], body: /receiver/i, json: null }],
    },
  };
}

export const presets = { kannel } as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;
export const presetNames = ["kannel"] as const satisfies readonly PresetName[];
