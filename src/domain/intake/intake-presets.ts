/** The programs whose calls Peyk knows: each preset is a complete file, which an operator's own keys override. */

export const intakePresetNames = [
  "supabase",
  "zitadel",
  "logto",
  "authentik",
  "kratos",
  "keycloak-sms",
  "novu",
  "alertmanager",
  "grafana",
  "uptime-kuma",
  "apprise",
  "home-assistant",
  "rapidpro",
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

/** Of a program that lets people sign in by a code, and sends one call for each. */
const signIn = { format: "json", answer: { json: {} } } as const;

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
  logto: {
    title: "Logto, HTTP SMS connector",
    source: "its package @logto/connector-http-sms 0.2.1",
    // It stores numbers without the plus, and its documentation shows them with it.
    file: { ...signIn, caller: { kind: "bearer" }, to: "{{to}}", international: true, code: "{{payload.code}}" },
  },
  authentik: {
    title: "authentik, SMS authenticator setup stage, generic provider",
    source: "its source: authentik/stages/authenticator_sms/models.py",
    file: { ...signIn, caller: { kind: "basic" }, to: "{{To}}", code: "{{Body}}" },
  },
  kratos: {
    title: "Ory Kratos, courier channel sms",
    source: "its source: courier/http_channel.go; the body is what the channel's Jsonnet makes of it",
    file: { ...signIn, caller: { kind: "header", name: "X-Api-Key" }, to: "{{recipient}}", text: "{{body}}" },
  },
  "keycloak-sms": {
    title: "Keycloak with netzbegruenung's SMS authenticator",
    source: "its source: gateway/ApiSmsService.java",
    file: { ...signIn, caller: { kind: "basic" }, format: "auto", to: "{{to}}", text: "{{text}}" },
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
  "home-assistant": {
    title: "Home Assistant, notify platform rest",
    source: "its source: components/rest/notify.py",
    file: {
      caller: { kind: "basic" },
      format: "auto",
      to: "{{target}}",
      text: { text: "{{message}}", cut: 600 },
      answer: { json: {} },
    },
  },
  rapidpro: {
    title: "RapidPro and TextIt, External API channel",
    source: "courier's handlers/external/handler.go",
    file: {
      caller: { kind: "bearer" },
      format: "auto",
      to: "{{to}}",
      text: "{{text}}",
      // The parts of a message that it splits have one id.
      key: "{{id}} {{text}}",
      reference: "{{id}}",
      // It gives up on another 4xx, and tries again after a 5xx.
      answer: { json: {}, busyStatus: 503 },
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
