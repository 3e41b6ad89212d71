/** Twilio's Programmable Messaging. */
import type { JsonFileReader } from "../../../domain/json-file.ts";
import { type CarrierPreset, callbackKeys, isCalled, readBaseUrl } from "./preset.ts";

export const code = (...values: number[]) => ({ json: { path: "code", equals: values } });
/** All others are still in progress. `failed`: Twilio did not hand it over. */
const states = {
  delivered: ["delivered", "read"],
  failed: { undelivered: "undeliverable", failed: "rejected_by_network", canceled: "undeliverable" },
};

export const twilioNeeds = {
  username: "the Account SID (AC…)",
  password: "the Auth Token, which also signs callbacks",
};
export const twilioHeaders = { Authorization: "Basic {{basicAuth}}" };
export const twilioAccount = (reader: JsonFileReader) =>
  `${readBaseUrl(reader, "https://api.twilio.com")}/2010-04-01/Accounts/{{username}}`;
export const twilioRefusals = {
  unauthorised: [{ status: 401 }, code(20003, 20005)],
  throttled: [{ status: 429 }, code(20429, 21611, 14107)],
  temporary: { status: "5xx" },
  accepted: { status: 201 },
  id: { json: "sid" },
};
export const twilioCaller = {
  signature: {
    header: "X-Twilio-Signature",
    algorithm: "sha1",
    encoding: "base64",
    over: ["url", "sortedForm"],
    key: "password",
  },
};
export const twilioProbe = (account: string) => ({
  request: { url: `${account}.json`, headers: twilioHeaders },
  accepted: { json: { path: "status", equals: "active" } },
});

export const twilio: CarrierPreset = {
  title: "Twilio, Programmable Messaging (2010-04-01)",
  source: "twilio.com/docs: Messages resource, status callbacks, Secure your webhooks (X-Twilio-Signature), errors",
  needs: twilioNeeds,
  example: {
    preset: "twilio",
    username: "ACxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    passwordFile: "twilio.password",
    ...callbackKeys("twilio"),
  },
  template(reader) {
    const account = twilioAccount(reader);
    const headers = twilioHeaders;
    const service = reader.text("messagingService", "", {
      lengthMax: 34,
      pattern: /^(MG[0-9a-f]{32})?$/,
      shape: "messaging_service",
    });
    const from = service === "" ? { From: "{{sender}}" } : { MessagingServiceSid: service };
    const form = { ...from, To: "{{recipient}}", Body: "{{text}}", StatusCallback: "{{receiptUrl}}" };
    return {
      request: { url: `${account}/Messages.json`, headers, body: { form } },
      answer: {
        ...twilioRefusals,
        recipientInvalid: code(21211, 21217, 21614),
        rejected: code(21212, 21408, 21602, 21606, 21610, 21612, 21617),
      },
      ...(!isCalled(reader) && {
        reportPoll: {
          request: { url: `${account}/Messages/{{id}}.json`, headers },
          id: { json: "sid" },
          state: { json: "status" },
          detail: { json: "error_code" },
          ...states,
        },
      }),
      receipts: {
        id: { form: "MessageSid" },
        state: { form: "MessageStatus" },
        detail: { form: "ErrorCode" },
        recipient: { form: "To" },
        ...states,
      },
      inbound: {
        sender: { form: "From" },
        receiver: { form: "To" },
        text: { form: "Body" },
        id: { form: "MessageSid" },
        // Any text here would be sent back to the phone.
        answer: { type: "text/xml", body: "<Response></Response>" },
      },
      caller: twilioCaller,
      probe: twilioProbe(account),
    };
  },
};
