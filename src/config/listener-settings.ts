/** The settings of what customers reach beside the API: the SMPP server, the drop-in protocols, the portal. */
import { isHost } from "./host-port.ts";
import {
  booleanSetting,
  integerSetting,
  networkListSetting,
  optionalAccentSetting,
  optionalFileSetting,
  optionalListenAddressSetting,
  optionalUrlSetting,
  range,
  textSetting,
} from "./setting-types.ts";
import { tlsFiles } from "./tls-settings.ts";

export const smppServerSettings = {
  listen: optionalListenAddressSetting({
    help: "Where customers bind by SMPP without TLS, such as 127.0.0.1:2775; not served unless set.",
  }),
  tlsListen: optionalListenAddressSetting({
    help: "Where customers bind by SMPP over TLS, with the certificate of tls.cert_file; not served unless set.",
  }),
  connections: integerSetting(range(1, 20_000), {
    default: 2_500,
    unit: "connections",
    help: "Connections by SMPP that may be open at once, bound or not.",
  }),
  enquireLinkSeconds: integerSetting(range(1, 3_600), {
    default: 30,
    unit: "seconds",
    help: "Silence of a customer's bind after which it is asked whether it is there.",
  }),
  responseTimeoutSeconds: integerSetting(range(1, 300), {
    default: 30,
    unit: "seconds",
    help: "How long a bind may take to acknowledge a receipt before it is unbound.",
  }),
  reassemblyTimeoutSeconds: integerSetting(range(1, 86_400), {
    default: 600,
    unit: "seconds",
    help: "How long to wait for the missing segments of a customer's message; then nothing of it is sent.",
  }),
  freeRequestsPerSecond: integerSetting(range(10, 1_000_000), {
    default: 1_000,
    unit: "requests a second",
    help: "Requests of an account that are refused or only ask, such as query_sm, before its binds are not read for a moment.",
  }),
  failedBindsPerMinute: integerSetting(range(1, 1_000_000), {
    default: 60,
    unit: "binds per minute",
    help: "Wrong passwords from one address, by SMPP and drop-in protocols together, before they are answered as throttled, and not logged.",
  }),
};

export const dropInSettings = {
  listen: optionalListenAddressSetting({
    help: "Where programs send by protocols of other SMS services (Kannel, Jasmin, webhooks), such as 127.0.0.1:13013; with the certificate of tls.cert_file if there is one; not served unless set.",
  }),
  allowPlain: booleanSetting({
    default: false,
    help: "Whether that listener may serve other machines without a certificate: passwords then cross the network in plain.",
  }),
};

const isDomain = (name: string): boolean => isHost(name) && /^(?=.*[a-z])[^.]+(?:\.[^.]+)+$/i.test(name);

export const smtpServerSettings = {
  listen: optionalListenAddressSetting({
    help: "Where devices send mails that become messages, such as 0.0.0.0:587: by STARTTLS with the certificate of tls.cert_file, or in plain from smtp_server.plain_from; not served unless set.",
  }),
  tlsListen: optionalListenAddressSetting({
    help: "The same over TLS from the first octet, such as 0.0.0.0:465; not served unless set.",
  }),
  domain: textSetting("domain", "a domain such as sms.example.com", (value) => value === "" || isDomain(value), {
    default: "",
    help: "Behind the number in an address (09121234567@sms.example.com); mail to any other is refused. Needed to listen.",
  }),
  plainFrom: networkListSetting({
    default: [],
    help: "Networks from which devices may sign in without TLS: passwords then cross the network in plain.",
  }),
  connections: integerSetting(range(1, 5_000), {
    default: 200,
    unit: "connections",
    help: "Connections for mail that may be open at once, signed in or not.",
  }),
};

export const portalSettings = {
  url: optionalUrlSetting({
    help: "Under which browsers reach the portal from elsewhere, such as https://portal.example.com.",
  }),
  tls: tlsFiles("of the portal; without it, plain HTTP."),
  name: textSetting("text", "one line of at most 60 characters", (value) => /^[^\p{Cc}]{0,60}$/u.test(value.trim()), {
    default: "",
    help: "Your own name at the portal and its sign-in, in place of Peyk's; without it, console.name.",
  }),
  logo: optionalFileSetting({
    help: "Your logo there, and the icon in the browser's tab: SVG or PNG of at most 64 kB; without it, the first letter of your name.",
  }),
  accent: optionalAccentSetting({
    help: "Your colour there, such as #0a5f73, for links and buttons; a colour too light to read is refused.",
  }),
  quietHours: booleanSetting({
    default: false,
    help: "Whether customers change the quiet hours of their own account at the portal.",
  }),
};
