/** SMS.ir, version 1: a hundred messages in a request, reports asked for one by one. */
import { type CarrierPreset, readBaseUrl } from "./preset.ts";

const status = (...values: number[]) => ({ json: { path: "status", equals: values } });

export const smsir: CarrierPreset = {
  title: "SMS.ir, web service version 1",
  source: "sms.ir/developer-web-service/rest-api: send/likeToLike, send/{messageId}, receive/latest, credit",
  needs: { token: "the key of the developers' panel (X-API-KEY)" },
  example: { preset: "smsir", tokenFile: "smsir.token", pollInbound: true },
  template(reader) {
    const api = `${readBaseUrl(reader, "https://api.sms.ir")}/v1`;
    const headers = { "X-API-KEY": "{{token}}", Accept: "application/json" };
    const accepted = status(1);
    const json = {
      lineNumber: "{{sender}}",
      messageTexts: { "{{each}}": "{{text}}" },
      mobiles: { "{{each}}": "{{recipientNational}}" },
      sendDateTime: null,
    };
    const inboundPoll = {
      // Each text is given once.
      request: { url: `${api}/receive/latest`, headers, query: { count: "100" } },
      accepted,
      each: "data",
      sender: { json: "mobile" },
      receiver: { json: "number" },
      text: { json: "messageText" },
      id: { json: "receiveReturnId" },
      pageSize: 100,
    };
    return {
      request: { url: `${api}/send/likeToLike`, headers, body: { json } },
      answer: {
        unauthorised: [{ status: 401 }, status(10, 11, 12, 13, 14)],
        throttled: [{ status: 429 }, status(20)],
        temporary: [status(0), { status: "5xx" }],
        recipientInvalid: status(104),
        // 15 and 102, an upgrade or no credit, are left out: the route rests until that is fixed.
        rejected: status(16, 101, 103, 105, 106, 107, 108, 110, 115, 117, 118, 123),
        accepted,
      },
      batch: { messages: 100, list: "data.messageIds", id: { json: "" } },
      reportPoll: {
        request: { url: `${api}/send/{{id}}`, headers },
        accepted,
        everySeconds: 60,
        state: { json: "data.deliveryState" },
        delivered: 1,
        // 3, 5: with the network; 8: unknown.
        failed: { 2: "undeliverable", 4: "rejected_by_network", 6: "undeliverable", 7: "blocked" },
      },
      ...(reader.flag("pollInbound", false) && { inboundPoll }),
      probe: { request: { url: `${api}/credit`, headers }, accepted },
    };
  },
};
