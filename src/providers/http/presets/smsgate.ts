/** SMSGate (android-sms-gateway): a phone as a carrier, over its own server, the project's cloud, or a private one. */
import { type CarrierPreset, callbackKeys, isCalled, readBaseUrl } from "./preset.ts";

const json = (path: string) => ({ json: path });

/**
 * It accepts Peyk's id, and answers 409 to a known one: the first attempt arrived. Each part of a long text has its own
 * event, without the part's number, and the message's status says `Delivered` as soon as one part was delivered: so it
 * is not polled, and only events count.
 */
export const smsgate: CarrierPreset = {
  title: "SMSGate (android-sms-gateway), a phone with a SIM card",
  source: "docs.sms-gate.app: API, webhooks, webhook signing",
  needs: {
    username: "the user name that the app shows",
    password: "its password",
  },
  example: {
    preset: "smsgate",
    url: "https://api.sms-gate.app/3rdparty/v1",
    username: "ABCDEF",
    passwordFile: "smsgate.password",
    callbackKeyFile: "smsgate.key",
    number: "+989120000000",
    window: 5,
    partsPerSecond: 0.5,
    ...callbackKeys("smsgate"),
  },
  template(reader) {
    const api = readBaseUrl(reader, "https://api.sms-gate.app/3rdparty/v1");
    const headers = { Authorization: "Basic {{basicAuth}}" };
    const number = reader.text("number", null, { lengthMin: 3, lengthMax: 20 });
    const sim = reader.number("sim", null, { min: 1, max: 3 });
    const isSigned = reader.value("callbackKey") !== undefined;
    const message = {
      id: "{{trackingCode}}",
      textMessage: { text: "{{text}}" },
      phoneNumbers: ["{{recipient}}"],
      withDeliveryReport: true,
      validUntil: "{{validUntil}}",
      ...(sim !== null && { simNumber: sim }),
    };
    return {
      request: { url: `${api}/messages`, headers, body: { json: message } },
      answer: {
        unauthorised: [{ status: 401 }, { status: 403 }],
        throttled: { status: 429 },
        temporary: { status: "5xx" },
        rejected: { status: 400 },
        accepted: [{ status: "2xx" }, { status: 409 }],
        id: "trackingCode",
      },
      ...(isCalled(reader) && {
        receipts: {
          id: json("payload.messageId"),
          state: json("event"),
          delivered: "sms:delivered",
          failed: { "sms:failed": "rejected_by_network" },
          detail: json("payload.reason"),
          perPart: { event: json("id"), count: json("payload.partsCount") },
        },
        inbound: {
          sender: json("payload.phoneNumber"),
          receiver: number === null ? json("payload.recipient") : { fixed: number },
          text: json("payload.message"),
          id: json("id"),
        },
        ...(isSigned && { caller: { signature } }),
      }),
      probe: { request: { url: `${api}/webhooks`, headers }, accepted: { status: "2xx" } },
    };
  },
};

const signature = { header: "X-Signature", over: ["body", { header: "X-Timestamp" }], key: "callbackKey" };
