/** Twilio's Programmable Voice: a call that reads the code, twice. */
import { type CarrierPreset, callbackKeys, isCalled } from "./preset.ts";
import {
  code,
  twilioAccount,
  twilioCaller,
  twilioHeaders,
  twilioNeeds,
  twilioProbe,
  twilioRefusals,
} from "./twilio.ts";

/** `completed`: somebody, or something, answered. */
const states = {
  delivered: "completed",
  failed: {
    ...{ busy: "undeliverable", "no-answer": "undeliverable", canceled: "undeliverable" },
    failed: "rejected_by_network",
  },
};

const inXml = (words: string) => words.replace(/[<&]/g, (sign) => (sign === "<" ? "&lt;" : "&amp;"));

export const twilioCall: CarrierPreset = {
  title: "Twilio, Programmable Voice (2010-04-01), a channel that reads codes",
  source: "twilio.com/docs/voice: Call resource, TwiML Say, status callbacks, Secure your webhooks, errors",
  needs: twilioNeeds,
  example: {
    ...{ preset: "twilio-call", username: "ACxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", passwordFile: "twilio.password" },
    ...{ callerNumber: "+15005550006", words: "Your code is {{codeSpoken}}.", language: "en-US" },
    ...callbackKeys("twilio-call"),
  },
  template(reader) {
    const account = twilioAccount(reader);
    const from = reader.requiredText("callerNumber", { lengthMax: 20 });
    const words = reader.text("words", "Your code is {{codeSpoken}}.", { lengthMin: 1, lengthMax: 500 });
    const language = reader.text("language", "en-US", { lengthMax: 20, pattern: /^[A-Za-z0-9-]+$/ });
    const twiml = `<Response><Say language="${language}" loop="2">${inXml(words)}</Say></Response>`;
    const form = { From: from, To: "{{recipient}}", Twiml: twiml, Timeout: "30", StatusCallback: "{{receiptUrl}}" };
    return {
      request: { url: `${account}/Calls.json`, headers: twilioHeaders, body: { form } },
      answer: {
        ...twilioRefusals,
        recipientInvalid: code(21211, 21214, 21217),
        rejected: code(21210, 21212, 21215, 21216, 13227),
      },
      ...(!isCalled(reader) && {
        reportPoll: {
          request: { url: `${account}/Calls/{{id}}.json`, headers: twilioHeaders },
          ...{ everySeconds: 5, hours: 1, id: { json: "sid" }, state: { json: "status" }, ...states },
        },
      }),
      receipts: { id: { form: "CallSid" }, state: { form: "CallStatus" }, recipient: { form: "To" }, ...states },
      caller: twilioCaller,
      probe: twilioProbe(account),
    };
  },
};
