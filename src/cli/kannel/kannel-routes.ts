/** Turns Kannel's connections to carriers into Peyk's route files. */
import type { KannelGroup } from "./kannel-config.ts";
import { GroupVariables, type KannelRemark } from "./kannel-config.ts";
import { remarkOn } from "./kannel-remarks.ts";

export interface ImportedRoute {
  name: string;
  /** Kannel's `smsc-id`, which several connections may share. */
  id: string;
  kind: "smpp" | "http";
  file: Record<string, unknown>;
  line: number;
  /** Prefixes of recipients, as written. */
  allowed: readonly string[];
  preferred: readonly string[];
}

/** Null where Peyk has no such connection; `remarks` says why. */
export function importedRoute(
  group: KannelGroup,
  names: ReadonlySet<string>,
  remarks: KannelRemark[],
): ImportedRoute | null {
  const variables = new GroupVariables(group);
  const tell = (key: string, words: string) =>
    void remarks.push({ file: group.file, line: variables.line(key), key, words });
  const kind = variables.text("smsc");
  const made = kind === "smpp" ? smppFile(variables, tell) : kind === "http" ? httpFile(variables, tell) : null;
  if (made === null) {
    if (kind !== "http") tell("smsc", otherKind(kind));
    return null;
  }
  const id = variables.text("smsc-id") ?? variables.text("host") ?? "kannel";
  const route = {
    name: freeName(id, names),
    id,
    kind: made.kind,
    file: made.file,
    line: group.line,
    allowed: variables.list("allowed-prefix"),
    preferred: variables.list("preferred-prefix"),
  };
  if (variables.text("denied-prefix") !== null)
    tell("denied-prefix", "Peyk's plans name what a route takes, not what it does not");
  for (const { key, line } of variables.left()) remarks.push({ file: group.file, line, key, words: remarkOn(key) });
  return route;
}

const otherKind = (kind: string | null): string => {
  if (kind === "at") return "Peyk drives no modems: see the preset smsgate for phones";
  if (kind === "fake") return "a test connection: see peyk route add NAME --kind simulator";
  return kind === null
    ? "the connection says not of which kind it is"
    : `Peyk does not speak ${kind}; ask the carrier for SMPP`;
};

/** At most 63 letters, digits and `._-`, starting with a letter or digit. */
function freeName(id: string, names: ReadonlySet<string>): string {
  const plain =
    id
      .replace(/[^A-Za-z0-9._-]/g, "-")
      .replace(/^[^A-Za-z0-9]/, "k")
      .slice(0, 58) || "kannel";
  let name = plain;
  for (let number = 2; names.has(name); number += 1) name = `${plain}-${number}`;
  return name;
}

type Tell = (key: string, words: string) => void;

const smppTexts = {
  "smsc-username": "systemId",
  "smsc-password": "password",
  "system-type": "systemType",
  "address-range": "addressRange",
  "service-type": "serviceType",
} as const;
const smppNumbers = {
  "source-addr-ton": "sourceTon",
  "source-addr-npi": "sourceNpi",
  "dest-addr-ton": "destinationTon",
  "dest-addr-npi": "destinationNpi",
  "bind-addr-ton": "bindTon",
  "bind-addr-npi": "bindNpi",
  "enquire-link-interval": "enquireLinkSeconds",
  "max-pending-submits": "window",
  throughput: "partsPerSecond",
  instances: "binds",
  validityperiod: "validityMinutes",
} as const;

function smppFile(variables: GroupVariables, tell: Tell): Pick<ImportedRoute, "kind" | "file"> {
  const file: Record<string, unknown> = { host: variables.text("host") ?? "" };
  const [port, receivePort] = [variables.number("port"), variables.number("receive-port")];
  const isTransceiver = variables.flag("transceiver-mode");
  if (port !== null || receivePort !== null) file.port = port ?? receivePort;
  file.bind = isTransceiver
    ? "transceiver"
    : port === null && receivePort !== null
      ? "receiver"
      : "transmitter+receiver";
  if (!isTransceiver && port !== null && receivePort === null)
    tell("port", "the connection only sends; Peyk also binds as receiver, for receipts");
  if (!isTransceiver && port !== null && receivePort !== null && receivePort !== port)
    tell("receive-port", "Peyk binds its receiver at the same port; a route with bind receiver takes another one");
  for (const [key, name] of Object.entries(smppTexts)) {
    const text = variables.text(key);
    if (text !== null) file[name] = text;
  }
  if (file.password === undefined) file.password = "";
  for (const [key, name] of Object.entries(smppNumbers)) {
    const number = variables.number(key);
    if (number !== null) file[name] = number;
  }
  // In Kannel, a throughput of 0 means no limit.
  if (file.partsPerSecond === 0) delete file.partsPerSecond;
  addSmppRules(variables, file, tell);
  return { kind: "smpp", file };
}

const charsets: Readonly<Record<string, string>> = {
  "iso-8859-1": "latin1",
  latin1: "latin1",
  ascii: "ascii",
  "us-ascii": "ascii",
  gsm: "gsm7",
};
/** Bit 1: the id in the answer is hexadecimal; bit 2: the id in the receipt is. */
const receiptIds: Readonly<Record<number, string>> = { 0: "exact", 1: "hexToDec", 2: "decToHex", 3: "exact" };

function addSmppRules(variables: GroupVariables, file: Record<string, unknown>, tell: Tell): void {
  if (variables.flag("use-ssl")) file.tls = {};
  if (variables.text("ssl-client-certkey-file") !== null)
    tell("ssl-client-certkey-file", "write it into the route's file, under tls");
  const wait = variables.number("wait-ack");
  if (wait !== null) file.responseTimeoutMs = wait * 1_000;
  const version = variables.text("interface-version");
  if (version !== null && version !== "34") tell("interface-version", "Peyk speaks SMPP 3.4");
  const type = variables.number("msg-id-type");
  const receiptId = type === null ? undefined : receiptIds[type];
  if (receiptId !== undefined) file.receiptId = receiptId;
  const alternative = variables.text("alt-charset");
  const charset = alternative === null ? undefined : charsets[alternative.toLowerCase()];
  if (charset !== undefined) file.charset = charset;
  else if (alternative !== null) tell("alt-charset", "write the alphabet into the route's file, under charset");
}

/** Only another Kannel can be called this way; every other system has its own interface. */
function httpFile(variables: GroupVariables, tell: Tell): Pick<ImportedRoute, "kind" | "file"> | null {
  const type = variables.text("system-type");
  if (type !== "kannel") {
    tell("system-type", `describe ${type ?? "the carrier"} by a route's file: see peyk route preset list`);
    return null;
  }
  const [url, username, password] = [
    variables.text("send-url"),
    variables.text("smsc-username"),
    variables.text("smsc-password"),
  ];
  const file: Record<string, unknown> = {
    preset: "kannel",
    url: url ?? "",
    username: username ?? variables.text("username") ?? "",
  };
  file.password = password ?? variables.text("password") ?? "";
  const rate = variables.number("throughput");
  if (rate !== null && rate > 0) file.partsPerSecond = rate;
  variables.text("port");
  tell("port", "give the route a callbackUrl, and the carrier that address");
  return { kind: "http", file };
}
