/** Kannel's sendsms. */
import { readUrl } from "../request-file.ts";
import { type CarrierPreset, isCalled } from "./preset.ts";

/**
 * Its answer holds no id, so the receipt's URL carries the tracking code, which serves as the id. `dlr-mask` 19:
 * delivered (1), not delivered (2), refused by the SMSC (16). Kannel calls the receipt's URL once, unless its smsbox
 * group has `http-request-retry`. Texts other than GSM go as UTF-8 with coding 2, which Kannel turns into UCS-2.
 *
 * Inbound: `get-url = "<callbackUrl>/<secret>/inbound?from=%p&to=%P&text=%b&charset=%C&id=%I"` in its sms-service
 * group, with `max-messages = 0`. `%b` keeps the text as it is (`%a` squeezes its spaces, and with them UTF-16), and
 * `%C` says UTF-16BE for everything that is not GSM.
 */
export const kannel: CarrierPreset = {
  title: "Kannel, sendsms over HTTP",
  source: "Kannel User Guide, Using the HTTP Interface to Send SMS Messages",
  needs: { username: "sendsms-user's username", password: "sendsms-user's password" },
  example: {
    preset: "kannel",
    url: "http://127.0.0.1:13013/cgi-bin/sendsms",
    username: "peyk",
    passwordFile: "kannel.password",
    callbackUrl: "http://127.0.0.1:8080/callbacks/kannel",
    callbackSecretFile: "kannel.secret",
    window: 20,
  },
  template(reader) {
    const url = readUrl(reader);
    const login = { username: "{{username}}", password: "{{password}}" };
    const smsc = reader.text("smsc", "", { lengthMax: 100, pattern: /^[^{}]*$/, shape: "kannel_smsc" });
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
      ...(isCalled(reader) ? receiptQuery : {}),
    };
    const field = (name: string) => ({ query: name });
    return {
      request: { url, query },
      answer: {
        unauthorised: { status: 403 },
        throttled: [],
        temporary: { status: "5xx" },
        rejected: { status: "4xx" },
        accepted: { status: 202, body: "^[03]:" },
        id: "trackingCode",
      },
      receipts: {
        id: field("id"),
        state: field("state"),
        delivered: "1",
        failed: { 2: "undeliverable", 16: "rejected_by_network" },
        detail: field("answer"),
      },
      inbound: {
        sender: field("from"),
        receiver: field("to"),
        text: field("text"),
        charset: field("charset"),
        id: field("id"),
      },
      // Without a recipient, Kannel checks the credentials first and then reports what is missing.
      probe: { request: { url, query: login }, accepted: { status: 400, body: "[Rr]eceiver" } },
    };
  },
};
