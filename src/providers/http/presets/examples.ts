/** Whole templates to begin with, for carriers without a preset. */

export interface CarrierExample {
  title: string;
  file: Readonly<Record<string, unknown>>;
}

const receipts = {
  id: "id",
  state: "status",
  delivered: ["delivered"],
  failed: { undelivered: "undeliverable", expired: "expired", rejected: "rejected_by_network" },
};

const callbacks = { callbackUrl: "https://sms.example.com/callbacks/carrier", callbackSecretFile: "carrier.secret" };

export const carrierExamples = {
  "form-example": {
    title: "Any carrier that takes a form and answers OK with an id",
    file: {
      request: {
        url: "https://carrier.example/sms/send",
        body: {
          form: {
            user: "{{username}}",
            pass: "{{password}}",
            from: "{{sender}}",
            to: "{{recipientDigits}}",
            text: "{{text}}",
            callback: "{{receiptUrl}}",
          },
        },
      },
      answer: {
        accepted: { status: 200, body: "^OK" },
        unauthorised: { body: "^ERR 401" },
        temporary: [{ status: "5xx" }, { body: "^ERR 5" }],
        rejected: { body: "^ERR 4" },
        id: { body: "^OK ([^ ]+)" },
      },
      receipts,
      inbound: { sender: "from", receiver: "to", text: "text", id: "id" },
      username: "peyk",
      passwordFile: "carrier.password",
      ...callbacks,
    },
  },
  "json-example": {
    title: "Any carrier that takes JSON and answers JSON, with signed callbacks",
    file: {
      request: {
        url: "https://carrier.example/v1/messages",
        headers: { Authorization: "Bearer {{token}}" },
        body: { json: { from: "{{sender}}", to: "{{recipient}}", text: "{{text}}", reference: "{{trackingCode}}" } },
      },
      answer: {
        accepted: { status: [200, 201, 202] },
        recipientInvalid: { json: { path: "error.code", equals: "invalid_number" } },
        rejected: { status: [400, 422] },
        id: { json: "id" },
      },
      receipts: { each: "reports", ...receipts },
      inbound: { each: "messages", sender: "from", receiver: "to", text: "text", id: "id" },
      caller: { signature: { header: "X-Signature" } },
      tokenFile: "carrier.token",
      callbackKeyFile: "carrier.key",
      ...callbacks,
    },
  },
} as const satisfies Record<string, CarrierExample>;
