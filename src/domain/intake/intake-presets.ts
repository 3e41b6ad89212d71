/** The programs whose calls Peyk knows: each preset is a complete file, which an operator's own keys override. */

export const intakePresetNames = [
  "supabase",
  "zitadel",
  "novu",
  "alertmanager",
  "grafana",
  "uptime-kuma",
  "apprise",
  "json",
] as const;
export type IntakePresetName = (typeof intakePresetNames)[number];

export const isIntakePreset = (name: unknown): name is IntakePresetName =>
  intakePresetNames.some((known) => known === name);

interface IntakePreset {
  title: string;
  /** What it was based on. */
  source: string;
  file: Readonly<Record<string, unknown>>;
}

const minutes = (count: number) => count * 60;

/** Alertmanager's format, which Grafana also uses. */
const alerts = {
  format: "json",
  text: {
    text: [
      "[{{status}}] ",
      {
        join: "alerts",
        text: "{{labels.alertname|'alert'}}: {{annotations.summary|annotations.description|annotations.message|labels.instance|''}}",
        with: "\n",
        max: 10,
      },
    ],
    cut: 400,
  },
  // Repeats are intended: a key must expire before the repeat interval does, and before the group interval.
  key: ["{{status}}", { join: "alerts", text: " {{fingerprint}} {{startsAt}} {{status}}", with: "", max: 100 }],
  keySeconds: minutes(4),
  // It gives up on 429 until the next group interval, but retries on 503.
  answer: { json: {}, busyStatus: 503 },
} as const;

export const intakePresets: Readonly<Record<IntakePresetName, IntakePreset>> = {
  supabase: {
    title: "Supabase Auth, Send SMS hook",
    source: "the hook's request as the auth server sends it; Standard Webhooks",
    file: {
      caller: { kind: "standard-webhooks" },
      format: "json",
      to: "{{sms.phone|user.phone}}",
      // It stores numbers without the plus.
      international: true,
      code: "{{sms.otp}}",
      // `webhook-id` is new for each attempt.
      key: "{{metadata.uuid}}",
      answer: { json: {} },
    },
  },
  zitadel: {
    title: "Zitadel, HTTP SMS provider",
    source: "the webhook channel's source, and the documentation of HTTP providers",
    file: {
      caller: { kind: "stamped", header: "ZITADEL-Signature" },
      format: "json",
      to: "{{contextInfo.recipientPhoneNumber}}",
      text: "{{templateData.text}}",
      answer: { json: {} },
    },
  },
  novu: {
    title: "Novu, generic SMS provider",
    source: "its package @novu/providers 0.24.2",
    file: {
      caller: { kind: "header", name: "X-Api-Key" },
      format: "json",
      to: "{{to}}",
      sender: "{{sender|''}}",
      text: "{{content}}",
      key: "{{id|''}}",
      reference: "{{id|''}}",
      answer: { json: { id: "{{trackingCode}}", date: "{{acceptedAt}}" } },
    },
  },
  alertmanager: {
    title: "Prometheus Alertmanager, webhook receiver",
    source: "Alertmanager 0.25: webhook_config",
    file: { caller: { kind: "basic" }, ...alerts },
  },
  grafana: {
    title: "Grafana Alerting, webhook contact point",
    source: "Grafana's documentation: Configure the webhook notifier, HMAC signature",
    file: { caller: { kind: "basic" }, ...alerts, text: { text: "{{title|status}}\n{{message|''}}", cut: 400 } },
  },
  "uptime-kuma": {
    title: "Uptime Kuma, webhook notification",
    source: "its source: notification-providers/webhook.js",
    file: {
      caller: { kind: "header", name: "X-Api-Key" },
      // Its form has one field, which contains the same JSON.
      format: { field: "data" },
      text: { text: "{{msg|heartbeat.msg}}", cut: 300 },
      answer: { json: {} },
    },
  },
  apprise: {
    title: "Apprise, json:// and form://",
    source: "Apprise 2.2: its custom_json and custom_form plugins",
    file: {
      caller: { kind: "basic" },
      format: "auto",
      to: "{{to}}",
      text: { text: ["{{title|''}}\n", "{{message}}"], cut: 1000 },
      answer: { json: {} },
    },
  },
  json: {
    title: "Any program that sends JSON",
    source: "",
    file: {
      caller: { kind: "bearer" },
      format: "json",
      to: "{{to}}",
      sender: "{{from|sender|''}}",
      text: "{{text|message|content|body}}",
      key: "{{key|id|''}}",
    },
  },
};

export const expandedPreset = (name: IntakePresetName): Readonly<Record<string, unknown>> => intakePresets[name].file;
