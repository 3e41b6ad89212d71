/**
 * Every setting, once. Its place is its key: `http.trustedProxies` is `trusted_proxies` under `[http]` in the file and
 * PEYK_HTTP_TRUSTED_PROXIES in the environment. A new setting needs only an entry here.
 */
import { calendars } from "../domain/local-calendar.ts";
import { mailSecurities } from "../domain/mail-security.ts";
import { messageLimits } from "../domain/message.ts";
import { parseTemplate } from "../domain/template.ts";
import { codePointLength, isCleanText } from "../domain/text.ts";
import { logLevels } from "../platform/log.ts";
import { backupTargetSettings } from "./backup-target-settings.ts";
import { parseHostPort } from "./host-port.ts";
import { dropInSettings, portalSettings, smppServerSettings, smtpServerSettings } from "./listener-settings.ts";
import { oidcSettings } from "./oidc-settings.ts";
import {
  booleanSetting,
  choiceSetting,
  destinationListSetting,
  folderSetting,
  hostListSetting,
  integerSetting,
  keywordListSetting,
  listenAddressSetting,
  mailAddressListSetting,
  mailAddressSetting,
  messageTextSetting,
  networkListSetting,
  numberRangeListSetting,
  optionalFileSetting,
  optionalListenAddressSetting,
  optionalUrlSetting,
  phoneNumberListSetting,
  quietWindowListSetting,
  range,
  regionListSetting,
  regionSetting,
  routeListSetting,
  textSetting,
  timeZoneSetting,
} from "./setting-types.ts";
import { tlsFiles } from "./tls-settings.ts";

/** Ten years: catches typing errors, yet allows a long retention. */
const retentionDays = range(1, 3650);

/** The text of a one-time password must contain the code and no other variable, and be a text that the API accepts. */
function carriesCode(value: string): boolean {
  const { variables } = parseTemplate(value);
  return (
    variables.length === 1 &&
    variables[0] === "code" &&
    codePointLength(value) <= messageLimits.textMax &&
    isCleanText(value)
  );
}

export const registry = {
  dataDir: folderSetting({
    default: "./data",
    help: "Folder of the database, the secret key and the operator's socket.",
  }),
  listen: listenAddressSetting({ default: "127.0.0.1:8080", help: "Where the public API listens." }),
  consoleListen: listenAddressSetting({
    default: "127.0.0.1:8081",
    help: "Where the console listens, with /metrics, /healthz and /readyz.",
  }),
  defaultRegion: regionSetting({
    default: "IR",
    help: "Country that a recipient without an international prefix belongs to.",
  }),
  defaultTimeZone: timeZoneSetting({
    default: "Asia/Tehran",
    help: "Where the days of an account begin that has no time zone of its own.",
  }),
  defaultCalendar: choiceSetting(calendars, {
    default: "gregory",
    help: "Whose months quotas, statements and the pages of the console count by: of the Gregorian or of the Persian calendar.",
  }),
  console: {
    name: textSetting("text", "one line of 1 to 60 characters", (value) => /^[^\p{Cc}]{1,60}$/u.test(value.trim()), {
      default: "Peyk",
      help: "What the console and the portal call this service: a company's name.",
    }),
    url: optionalUrlSetting({
      help: "Under which browsers reach the console from elsewhere, such as https://console.example.com; from this machine it is always served.",
    }),
    secondFactor: choiceSetting(["nobody", "staff", "everybody"], {
      default: "nobody",
      help: "Who must have a second factor: until it is set up, nothing else opens. Staff is everybody but customers.",
    }),
    passwords: choiceSetting(["allowed", "owner", "off"], {
      default: "allowed",
      help: "Who of the staff may sign in with a password beside single sign-on; without a provider, `peyk user setup-link` on the machine is the way in.",
    }),
    supportReadsTexts: booleanSetting({
      default: true,
      help: "Whether users of the role support see texts of messages, in the console and by their tokens.",
    }),
    tls: tlsFiles("of the console; without it, plain HTTP."),
  },
  oidc: oidcSettings,
  portalListen: optionalListenAddressSetting({
    help: "Where customers reach pages of their own account, and nobody else; not served unless set.",
  }),
  portal: portalSettings,
  smppServer: smppServerSettings,
  dropIn: dropInSettings,
  smtpServer: smtpServerSettings,
  metrics: {
    allowFrom: networkListSetting({
      default: ["127.0.0.0/8", "::1", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
      help: "Addresses from which /metrics is answered; a proxy's clients are seen by their own only with http.trusted_proxies.",
    }),
    hosts: hostListSetting({
      help: "Names under which monitoring asks for /metrics and /readyz, beside addresses, localhost and the name in console.url.",
    }),
  },
  currency: textSetting("ISO 4217", "a three-letter currency code, such as IRR", (code) => /^[A-Z]{3}$/.test(code), {
    default: "IRR",
    help: "Of prices and balances, which are whole numbers of its smallest unit; kept with the first price or top-up; from then on a start with another one is refused.",
  }),
  cluster: {
    node: textSetting(
      "name",
      "a name of 1 to 30 letters, digits and hyphens",
      (name) => /^[A-Za-z0-9-]{0,30}$/.test(name),
      {
        default: "",
        help: "Name of this node of a cluster; without one, the service is the only one of its data.",
      },
    ),
    engineFile: optionalFileSetting({
      help: "File with the address of the PostgreSQL that keeps the cluster's log: postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE.",
    }),
    keepGb: integerSetting(range(1, 10_000), {
      default: 10,
      unit: "GB",
      help: "Of the cluster's log, kept for a node that is away; one that was away for longer must join anew.",
    }),
  },
  log: {
    level: choiceSetting(logLevels, { default: "info", help: "The least grave events that are logged." }),
  },
  http: {
    url: optionalUrlSetting({
      help: "Under which customers reach the public API, such as https://sms.example.com: the console's examples show it.",
    }),
    trustedProxies: networkListSetting({
      help: "Proxies whose X-Forwarded-For is believed; from anybody else the header is ignored.",
    }),
    requestsPerMinute: integerSetting(range(1, 1_000_000), {
      default: 120,
      unit: "requests per minute",
      help: "Rate of an API key that has none of its own.",
    }),
    failedAuthPerMinute: integerSetting(range(1, 1_000_000), {
      default: 60,
      unit: "requests per minute",
      help: "Failed authentications from one address before 429 answers them.",
    }),
  },
  idempotency: {
    mismatch: choiceSetting(["replay", "reject"], {
      default: "replay",
      help: "A repeated key with another payload: replay the first result, or reject with 409.",
    }),
    days: integerSetting(retentionDays, {
      default: 30,
      unit: "days",
      help: "How long an idempotency key is remembered.",
    }),
  },
  messages: {
    validityHours: integerSetting(range(1, 720), {
      default: 48,
      unit: "hours",
      help: "Time after its due time in which a message must be handed over, else it expires.",
    }),
    retentionDays: integerSetting(retentionDays, { default: 90, unit: "days", help: "How long messages are kept." }),
    recipients: choiceSetting(["valid", "possible"], {
      default: "valid",
      help: "Numbers that may be sent to: mobile numbers that libphonenumber knows, or also those that it does not, where they are as long as mobile numbers of their country.",
    }),
    extraRanges: numberRangeListSetting({
      help: "Beginnings of mobile numbers that are newer than libphonenumber, such as +98999.",
    }),
  },
  sending: {
    countries: regionListSetting({
      help: "Countries that accounts without a list of their own may send to; without an entry, all.",
    }),
  },
  quietHours: {
    windows: quietWindowListSetting({
      help: "Windows of accounts without any of their own in which bulk waits, in the account's time zone; without an entry, none.",
    }),
    singles: booleanSetting({
      default: false,
      help: "Whether single and pattern messages wait in quiet hours, too; one-time passwords never do.",
    }),
  },
  suppression: {
    stopWords: keywordListSetting({
      default: ["STOP", "UNSUBSCRIBE", "لغو", "لغو11"],
      help: "Texts from phones that put the sender on the account's suppression list; case, spaces, punctuation and the kind of digits do not matter.",
    }),
    startWords: keywordListSetting({
      default: ["START", "شروع"],
      help: "Texts from phones that take the sender off the account's suppression list.",
    }),
    stopReply: messageTextSetting({
      default: "",
      help: "Text that confirms a stop word to its sender, once; empty for none.",
    }),
    startReply: messageTextSetting({
      default: "",
      help: "Text that confirms a start word to its sender, once; empty for none.",
    }),
  },
  sandbox: {
    enabled: booleanSetting({
      default: false,
      help: "Test keys may be issued: their messages take only the simulator, and the reference lists its numbers.",
    }),
  },
  events: {
    retentionDays: integerSetting(retentionDays, {
      default: 30,
      unit: "days",
      help: "How long events and deliveries are kept.",
    }),
  },
  reports: {
    retentionDays: integerSetting(retentionDays, {
      default: 730,
      unit: "days",
      help: "How long the figures of reports are kept; they outlive their messages.",
    }),
  },
  audit: {
    retentionDays: integerSetting(retentionDays, {
      default: 365,
      unit: "days",
      help: "How long it is kept who changed what.",
    }),
  },
  inbound: {
    retentionDays: integerSetting(retentionDays, {
      default: 90,
      unit: "days",
      help: "How long received messages are kept.",
    }),
    reassemblyTimeoutSeconds: integerSetting(range(1, 86_400), {
      default: 600,
      unit: "seconds",
      help: "How long to wait for the missing parts of a received message.",
    }),
    repliesHourlyMax: integerSetting(range(1, 60), {
      default: 3,
      help: "How often a line's rules reply to one number in an hour; four times as often in a day.",
    }),
  },
  webhooks: {
    trustedDestinations: destinationListSetting({
      help: "Receivers on private addresses that callbacks may reach all the same; HTTPS stays required.",
    }),
    caFile: optionalFileSetting({ help: "PEM file of authorities that are trusted beside the system's own." }),
    denyCidrs: networkListSetting({ help: "Further networks that callbacks must never reach." }),
  },
  otp: {
    text: textSetting(
      "text with {{code}}",
      `a text of at most ${messageLimits.textMax} characters that holds {{code}} and no other variable`,
      carriesCode,
      {
        default: "Your verification code: {{code}}",
        help: "Text of a one-time password that is sent without a pattern.",
      },
    ),
    resendSeconds: integerSetting(range(0, 3600), {
      default: 60,
      unit: "seconds",
      help: "Least time between two codes to one recipient of an account.",
    }),
    perHour: integerSetting(range(1, 1000), {
      default: 5,
      unit: "codes",
      help: "Codes an hour to one recipient of an account.",
    }),
    perDay: integerSetting(range(1, 10_000), {
      default: 10,
      unit: "codes",
      help: "Codes a day to one recipient of an account.",
    }),
    fraudGuard: booleanSetting({
      default: true,
      help: "Hold back codes when an account sends many to one number range and few are verified.",
    }),
    rangePerHour: integerSetting(range(1, 10_000), {
      default: 1000,
      unit: "codes",
      help: "With the fraud guard: codes an hour of an account to one range of ten thousand numbers.",
    }),
    endUserNumbersPerDay: integerSetting(range(0, 10_000), {
      default: 0,
      unit: "numbers",
      help: "Numbers that are sent codes in 24 hours for one end user's address, which customers pass on as Peyk-End-User-Address; 0 sets no limit.",
    }),
  },
  groups: {
    membersMax: integerSetting(range(1, 1_000_000), {
      default: 50_000,
      unit: "members",
      help: "Members that a group may have.",
    }),
  },
  backup: {
    nightlyKeep: integerSetting(range(0, 365), {
      default: 7,
      unit: "copies",
      help: "Nightly copies of the database that are kept in backups/ under the data folder; 0 makes none.",
    }),
    beforeDays: integerSetting(retentionDays, {
      default: 30,
      unit: "days",
      help: "How long the database is kept that stood there before a migration, a restore or an upgrade: the way back, with all that was erased since.",
    }),
    everyMinutes: integerSetting(range(0, 1440), {
      default: 0,
      unit: "minutes",
      help: "Time between further copies, of which the newest two are kept, to be brought to another machine; 15 suits, 0 makes none.",
    }),
  },
  backupTarget: backupTargetSettings,
  alerts: {
    webhookUrl: textSetting(
      "https URL",
      "an https URL",
      (value) => value === "" || (value.startsWith("https://") && URL.canParse(value)),
      {
        default: "",
        confidential: true,
        help: "Webhook that is told of alerts; one on your own network also stands in webhooks.trusted_destinations.",
      },
    ),
    webhookSecretFile: optionalFileSetting({ help: "File with the secret that signs the alerts' webhook." }),
    smtpServer: textSetting(
      "HOST:PORT",
      "HOST:PORT",
      (value) => value === "" || (parseHostPort(value)?.port ?? 0) > 0,
      { default: "", help: "Mail server that takes alerts, such as mail.example.com:587." },
    ),
    smtpSecurity: choiceSetting(mailSecurities, {
      default: "starttls",
      help: "Encryption to the mail server: required by STARTTLS, from the first octet, or none, for one on this machine.",
    }),
    smtpUser: textSetting("text", "a text", () => true, {
      default: "",
      confidential: true,
      help: "User at the mail server; empty for none.",
    }),
    smtpPasswordFile: optionalFileSetting({ help: "File with the user's password." }),
    mailFrom: mailAddressSetting({ default: "", confidential: true, help: "Sender of mails about alerts." }),
    mailTo: mailAddressListSetting({
      confidential: true,
      help: "Who gets mails about alerts.",
    }),
    smsTo: phoneNumberListSetting({
      confidential: true,
      help: "Phones that get the gravest alerts as texts, by a route that no alert stands for.",
    }),
    smsSender: textSetting(
      "sender",
      "5 to 20 Latin letters, digits and signs",
      (value) => value === "" || /^[!-~]{5,20}$/.test(value),
      { default: "", help: "Sender of these texts." },
    ),
    smsRoutes: routeListSetting({
      help: "Routes that may take them, the preferred first; without an entry, all but simulators.",
    }),
  },
  tls: tlsFiles("of the public listener; without it, plain HTTP."),
};
