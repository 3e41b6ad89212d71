/** The programs whose calls Peyk knows: each preset is a complete file, which an operator's own keys override. */

export const intakePresetNames = [
  "supabase",
  "zitadel",
  "logto",
  "authentik",
  "kratos",
  "keycloak-sms",
  "nhost",
  "fusionauth",
  "novu",
  "alertmanager",
  "grafana",
  "uptime-kuma",
  "zabbix",
  "meshcentral",
  "apprise",
  "home-assistant",
  "rapidpro",
  "wp-sms",
  "commcare",
  "dhis2",
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
  /** What it sends: a body as its format says, or a query. */
  call: Readonly<Record<string, unknown>>;
}

const minutes = (count: number) => count * 60;

/** Alertmanager's format, which Grafana also uses. */
const alerts = {
  format: "json",
  text: {
    text: [
      // The status of a group is `firing` while one of its alerts is.
      {
        join: "alerts",
        text: "[{{status|'alert'}}] {{labels.alertname|'alert'}}: {{annotations.summary|annotations.description|annotations.message|labels.instance|status|''}}",
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

/** Of a program that calls with GET, and has no header of its own. */
const byQuery = { format: "query", caller: { kind: "query", name: "key" }, answer: { json: {} } } as const;

const anAlert = {
  status: "firing",
  alerts: [
    {
      status: "firing",
      labels: { alertname: "DiskFull" },
      annotations: { summary: "The disk is full" },
      fingerprint: "f1",
      startsAt: "2026-11-24T12:00:00Z",
    },
  ],
};

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
    call: { metadata: { uuid: "7f2c0b0e" }, user: { phone: "989121234567" }, sms: { otp: "561166" } },
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
    call: { contextInfo: { recipientPhoneNumber: "+989121234567" }, templateData: { text: "Your code is 561166" } },
  },
  logto: {
    title: "Logto, HTTP SMS connector",
    source: "its package @logto/connector-http-sms 0.2.1",
    // It stores numbers without the plus, and its documentation shows them with it.
    file: { ...signIn, caller: { kind: "bearer" }, to: "{{to}}", international: true, code: "{{payload.code}}" },
    call: { to: "989121234567", type: "SignIn", payload: { code: "561166" } },
  },
  authentik: {
    title: "authentik, SMS authenticator setup stage, generic provider",
    source: "its source: authentik/stages/authenticator_sms/models.py",
    file: { ...signIn, caller: { kind: "basic" }, to: "{{To}}", code: "{{Body}}" },
    call: { From: "authentik", To: "+989121234567", Body: "561166", Message: "Use 561166" },
  },
  kratos: {
    title: "Ory Kratos, courier channel sms",
    source: "its source: courier/http_channel.go; the body is what the channel's Jsonnet makes of it",
    file: { ...signIn, caller: { kind: "header", name: "X-Api-Key" }, to: "{{recipient}}", text: "{{body}}" },
    call: { recipient: "+989121234567", body: "Your login code is: 561166" },
  },
  "keycloak-sms": {
    title: "Keycloak with netzbegruenung's SMS authenticator",
    source: "its source: gateway/ApiSmsService.java",
    file: { ...signIn, caller: { kind: "basic" }, format: "auto", to: "{{to}}", text: "{{text}}" },
    call: { text: "Your code is 561166", to: "+989121234567", from: "" },
  },
  nhost: {
    title: "Nhost Auth, generic SMS provider",
    source: "its source: services/auth/go/notifications/sms/generic.go; the body is what its template makes of it",
    file: { ...signIn, caller: { kind: "bearer" }, to: "{{to}}", text: "{{body}}" },
    call: { to: "+989121234567", body: "Your code is 561166" },
  },
  fusionauth: {
    title: "FusionAuth, generic messenger",
    source: "its documentation: Generic Messenger",
    file: { ...signIn, caller: { kind: "basic" }, to: "{{phoneNumber}}", text: "{{textMessage}}" },
    call: { code: "561166", phoneNumber: "+989121234567", textMessage: "Two Factor Code: 561166", type: "SMS" },
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
    call: { to: "+989121234567", content: "Hello", id: "novu-1" },
  },
  alertmanager: {
    title: "Prometheus Alertmanager, webhook receiver",
    source: "Alertmanager 0.25: webhook_config",
    file: { caller: { kind: "basic" }, ...alerts },
    call: anAlert,
  },
  grafana: {
    title: "Grafana Alerting, webhook contact point",
    source: "Grafana's documentation: Configure the webhook notifier, HMAC signature",
    file: { caller: { kind: "basic" }, ...alerts, text: { text: "{{title|status}}\n{{message|''}}", cut: 400 } },
    call: { ...anAlert, title: "[FIRING:1] DiskFull", message: "The disk is full" },
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
    call: { heartbeat: { status: 0, msg: "timeout" }, monitor: { name: "shop" }, msg: "[shop] [Down] timeout" },
  },
  zabbix: {
    title: "Zabbix, media type webhook",
    source: "Zabbix 6.0's zabbix_js, with the script in the help",
    file: {
      caller: { kind: "bearer" },
      format: "json",
      text: { text: ["{{subject|''}}\n", "{{message}}"], cut: 400 },
      to: "{{to}}",
      // The same for each of its attempts, since it fills in a webhook's parameters once.
      key: "{{key|''}}",
      answer: { json: {} },
    },
    call: { to: "09121234567", subject: "Problem: disk is full", message: "Host: db-1", key: "42 2026.11.24 12:00:00" },
  },
  meshcentral: {
    title: "MeshCentral, SMS provider url",
    source: "its package meshcentral 1.1.55: meshsms.js",
    file: { ...byQuery, to: "{{phone}}", text: "{{message}}" },
    call: { phone: "+989121234567", message: "Verification code 561166" },
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
    call: { version: "1.0", title: "db-1", message: "The disk is full", type: "info", to: "09121234567" },
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
    call: { message: "The door is open", target: "09121234567" },
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
    call: { id: "10", text: "Hello", to: "+989121234567", from: "2020" },
  },
  "wp-sms": {
    title: "WP SMS for WordPress, custom gateway",
    source: "its source: includes/gateways/class-wpsms-gateway-custom.php",
    file: { ...signIn, caller: { kind: "bearer" }, to: "{{to}}", text: "{{text}}" },
    call: { to: "09121234567", text: "Order 42 is on its way" },
  },
  commcare: {
    title: "CommCare HQ, HTTP gateway",
    source: "its source: corehq/messaging/smsbackends/http/models.py",
    // It writes a text in ISO 8859-1 if it can, and in UTF-8 otherwise.
    file: { ...byQuery, charset: "utf-8|iso-8859-1", to: "{{to}}", international: true, text: "{{text}}" },
    call: { text: "Your appointment is tomorrow", to: "989121234567" },
  },
  dhis2: {
    title: "DHIS2, generic gateway",
    source: "its source: org/hisp/dhis/sms/config/SimplisticHttpGetGateWay.java",
    // It takes the plus or the zeros from numbers.
    file: { ...signIn, caller: { kind: "basic" }, format: "form", to: "{{to}}", international: true, text: "{{text}}" },
    call: { text: "Report of week 47 is due", to: "989121234567,989351234567" },
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
    call: { to: "09121234567", text: "Hello", key: "order-42" },
  },
};

export const expandedPreset = (name: IntakePresetName): Readonly<Record<string, unknown>> => intakePresets[name].file;

/** That which a file names; null for a template of one's own. */
export function presetOf(file: unknown): IntakePresetName | null {
  const preset = typeof file === "object" && file !== null ? Reflect.get(file, "preset") : null;
  return isIntakePreset(preset) ? preset : null;
}

/** Titles are English; elsewhere the name stands for itself. */
export const presetTitle = (name: IntakePresetName, language: string): string =>
  language === "en" ? intakePresets[name].title : name;

/** A call as the program sends it. */
export function recordedCall(name: IntakePresetName): { body: string; contentType: string; query: string } {
  const { file, call } = intakePresets[name];
  const fields = () => new URLSearchParams(Object.entries(call).map(([key, value]) => [key, String(value)])).toString();
  if (file.format === "query") return { body: "", contentType: "", query: fields() };
  if (file.format === "form") return { body: fields(), contentType: "application/x-www-form-urlencoded", query: "" };
  return { body: JSON.stringify(call, null, 2), contentType: "application/json", query: "" };
}
