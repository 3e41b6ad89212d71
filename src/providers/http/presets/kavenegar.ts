/** Kavenegar's REST interface: many messages in a request; reports and texts by polling or callback. */
import type { JsonFileReader } from "../../../domain/json-file.ts";
import { type CarrierPreset, isCalled, readBaseUrl } from "./preset.ts";

const status = (...values: number[]) => ({ json: { path: "return.status", equals: values } });
const busy = { status: "5xx" };
/** 1, 2: queued; 4, 5: with the network; 100: the id is no longer known. */
const states = {
  delivered: 10,
  failed: { 6: "rejected_by_network", 11: "undeliverable", 13: "undeliverable", 14: "blocked" },
};

export const kavenegar: CarrierPreset = {
  title: "Kavenegar, REST interface version 1",
  source: "kavenegar.com/rest.html: sms/sendarray, sms/status, sms/receive, account/info",
  needs: { token: "the API key of the panel" },
  example: { preset: "kavenegar", tokenFile: "kavenegar.token", lines: ["30001234"] },
  template(reader) {
    const api = `${readBaseUrl(reader, "https://api.kavenegar.com")}/v1/{{token}}`;
    const each = (template: string) => ({ "{{each}}": template });
    const form = { sender: each("{{sender}}"), receptor: each("{{recipientNational}}"), message: each("{{text}}") };
    const accepted = status(200);
    const lines = linesOf(reader);
    const asks = !isCalled(reader);
    return {
      request: { url: `${api}/sms/sendarray.json`, body: { form } },
      answer: {
        unauthorised: status(401, 403, 407),
        throttled: [{ status: 429 }, status(451)],
        temporary: [status(402, 409), busy],
        recipientInvalid: status(411),
        // 418, no credit left, is left out: the route rests until there is some.
        rejected: status(400, 405, 406, 412, 413, 414, 417, 419, 422),
        accepted,
      },
      batch: {
        messages: 200,
        list: "entries",
        rejected: { json: { path: "status", equals: [6, 13, 14] } },
        id: { json: "messageid" },
      },
      ...(asks && { reportPoll: { ...reportPoll(api), accepted } }),
      ...(asks && lines !== undefined && { inboundPoll: { ...inboundPoll(api, lines), accepted } }),
      receipts: { id: "messageid", state: "status", ...states },
      inbound: { sender: "from", receiver: "to", text: "message", id: "messageid" },
      probe: { request: { url: `${api}/account/info.json` }, accepted },
    };
  },
};

function linesOf(reader: JsonFileReader): unknown {
  return reader.value("lines");
}

const reportPoll = (api: string) => ({
  request: { url: `${api}/sms/status.json`, body: { form: { messageid: "{{ids}}" } } },
  ids: 500,
  // It answers only about messages of the last two days.
  hours: 48,
  each: "entries",
  id: { json: "messageid" },
  state: { json: "status" },
  detail: { json: "statustext" },
  ...states,
});

/** Each text is given once. */
const inboundPoll = (api: string, lines: unknown) => ({
  request: { url: `${api}/sms/receive.json`, body: { form: { linenumber: "{{line}}", isread: "0" } } },
  lines,
  each: "entries",
  sender: { json: "sender" },
  receiver: { json: "receptor" },
  text: { json: "message" },
  id: { json: "messageid" },
  pageSize: 100,
});
