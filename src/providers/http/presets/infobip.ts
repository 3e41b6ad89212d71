/** Infobip's SMS interface, version 3: many messages in a request, with Peyk's ids. */
import { type CarrierPreset, callbackKeys, isCalled, readBaseUrl } from "./preset.ts";

const states = {
  delivered: "DELIVERED",
  failed: { UNDELIVERABLE: "undeliverable", EXPIRED: "expired", REJECTED: "rejected_by_network" },
};

const group = (...names: string[]) => ({ json: { path: "status.groupName", equals: names } });

export const infobip: CarrierPreset = {
  title: "Infobip, SMS API version 3",
  source: "infobip.com/docs/api/channels/sms: Send SMS messages, delivery and inbound reports, account balance",
  needs: { token: "an API key (Authorization: App …)" },
  example: {
    preset: "infobip",
    url: "https://xxxxx.api.infobip.com",
    tokenFile: "infobip.token",
    ...callbackKeys("infobip"),
  },
  template(reader) {
    if (reader.value("url") === undefined) reader.problem("url", { code: "own_url", values: {} });
    const api = readBaseUrl(reader, "https://api.infobip.com");
    const headers = { Authorization: "App {{token}}", Accept: "application/json" };
    const webhooks = { delivery: { url: "{{receiptUrl}}" }, contentType: "application/json" };
    const message = {
      sender: "{{sender}}",
      destinations: [{ to: "{{recipientDigits}}", messageId: "{{trackingCode}}" }],
      content: { text: "{{text}}" },
      ...(isCalled(reader) && { webhooks }),
    };
    const report = {
      each: "results",
      id: { json: "messageId" },
      state: { json: "status.groupName" },
      detail: { json: "error.name" },
      recipient: { json: "to" },
      ...states,
    };
    return {
      request: { url: `${api}/sms/3/messages`, headers, body: { json: { messages: { "{{each}}": message } } } },
      answer: {
        unauthorised: [{ status: 401 }, { status: 403 }],
        throttled: { status: 429 },
        temporary: { status: "5xx" },
        rejected: { status: [400, 404, 413] },
        accepted: { status: 200 },
      },
      batch: {
        messages: 100,
        list: "messages",
        key: { json: "messageId", equals: "{{trackingCode}}" },
        recipientInvalid: { json: { path: "status.name", equals: "REJECTED_DESTINATION" } },
        rejected: group("REJECTED", "UNDELIVERABLE", "EXPIRED"),
        id: { json: "messageId" },
      },
      ...(!isCalled(reader) && {
        reportPoll: { request: { url: `${api}/sms/3/reports`, headers, query: { messageId: "{{id}}" } }, ...report },
      }),
      receipts: report,
      inbound: {
        each: "results",
        sender: { json: "from" },
        receiver: { json: "to" },
        text: { json: "text" },
        id: { json: "messageId" },
      },
      probe: { request: { url: `${api}/account/1/balance`, headers } },
    };
  },
};
