/** Why a line of Kannel's configuration is not carried over. */
import { messageLimits } from "../../domain/message.ts";

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(log-|access-log|syslog|alog|dump|debug)/, "Peyk writes its own log, to the journal"],
  [
    /^(store-|sms-resend|sms-incoming|sms-outgoing|maximum-queue|sms-combine|dlr-spool)/,
    "waiting messages stay with Kannel: let it send them before it stops",
  ],
  [/^(dlr-storage|dlr-retry)/, "receipts that Kannel waits for stay with it: let it take them before it stops"],
  [/regex/, "Peyk has no regular expressions for this"],
  [/^(white|black)-list/, "Peyk reads no lists by URL: see peyk suppression import"],
  [
    /^(admin|status|box|smsbox-port|smsbox-id|wapbox|udp|wdp|http-proxy|bearerbox|ssl-|use-ssl|sms-proxy|loopback)/,
    "it configures Kannel's own processes",
  ],
  [
    /^(modemtype|device|speed|pin|sim-|keepalive|smsc-nua|init-string|phone)/,
    "Peyk drives no modems: see the preset smsgate for phones",
  ],
  [/^(allowed|denied|preferred)-(smsc|box)/, "Peyk chooses routes by sender and plan"],
  [/^(allowed|denied|preferred|unified)-prefix/, "a prefix without a country cannot be read; see peyk plan"],
  [/^(reconnect-delay|retry)/, "Peyk has a schedule of its own for this"],
  [
    /^(max-messages|concatenation|omit-empty|split-|header|footer|assume-plain-text)/,
    `Peyk sends whole texts, up to ${messageLimits.textMax} characters`,
  ],
];

export const remarkOn = (key: string): string =>
  reasons.find(([pattern]) => pattern.test(key))?.[1] ?? "has no counterpart";

const groupReasons: Readonly<Record<string, string>> = {
  core: "",
  smsbox: "",
  "sendsms-user": "",
  "sms-service": "",
  smsc: "",
  "dlr-db": "receipts that Kannel waits for stay with it: let it take them before it stops",
  "store-db": "waiting messages stay with Kannel: let it send them before it stops",
  wapbox: "Peyk has no WAP",
  ppg: "Peyk has no WAP",
  "wap-push-user": "Peyk has no WAP",
  "ota-setting": "Peyk sends no settings over the air",
  "ota-bookmark": "Peyk sends no settings over the air",
  modems: "Peyk drives no modems: see the preset smsgate for phones",
  "smsbox-route": "Peyk is one process",
  "smpp-tlv": "write the parameter into the route's file, under tlvs",
  smppbox: "see peyk credential create --kind smpp, and smpp_server.listen",
  opensmppbox: "see peyk credential create --kind smpp, and smpp_server.listen",
  sqlbox: "Peyk takes messages by its API, by SMPP and by Kannel's sendsms",
};

/** Empty for a group whose variables are examined. */
export function remarkOnGroup(name: string): string {
  if (name.endsWith("-connection")) return "Peyk needs no database beside it";
  return groupReasons[name] ?? "has no counterpart";
}
