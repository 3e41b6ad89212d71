/** Turns Kannel's sendsms users into Peyk's keys and credentials, and the numbers they send from into senders. */
import { dropInLimits, isShort } from "../../domain/drop-in-credential.ts";
import { GroupVariables, type KannelGroup, type KannelRemark } from "./kannel-config.ts";
import { remarkOn } from "./kannel-remarks.ts";

export interface ImportedUser {
  username: string;
  password: string;
  line: number;
  /** IP addresses and CIDR ranges; empty: from everywhere. */
  allowFrom: readonly string[];
  /** The number or name that its messages are sent from, where Kannel names one. */
  sender: string | null;
  /** The `smsc-id`s that its messages may take; empty: any. */
  smscIds: readonly string[];
  /** That its program calls, where Kannel's configuration names another than the usual one. */
  path: string | null;
}

/** What a smsbox says of all of its users. */
export interface BoxDefaults {
  globalSender: string | null;
  path: string | null;
}

/** Null for a user that cannot sign in with its own name and password. */
export function importedUser(
  group: KannelGroup,
  { globalSender, path }: BoxDefaults,
  remarks: KannelRemark[],
): ImportedUser | null {
  const variables = new GroupVariables(group);
  const tell = (key: string, words: string) =>
    void remarks.push({ file: group.file, line: variables.line(key), key, words });
  const [username, password] = [variables.text("username"), variables.text("password")];
  if (username === null || password === null) {
    tell("group", "a user without a name or a password");
    return null;
  }
  if (!/^[!-~]+$/.test(username) || username.length > dropInLimits.nameCharactersMax) {
    tell("username", "a name with spaces or letters beyond ASCII, or of more than 64 characters");
    return null;
  }
  if (!/^[!-~](?:[ -~]*[!-~])?$/.test(password) || password.length > dropInLimits.secretCharactersMax) {
    tell("password", "a password with letters beyond ASCII or spaces at its ends");
    return null;
  }
  const allowFrom = allowedAddresses(variables, tell);
  const sender = variables.text("faked-sender") ?? variables.text("default-sender") ?? globalSender;
  const smscIds = variables.list("forced-smsc").concat(variables.list("default-smsc"));
  variables.text("name");
  for (const { key, line } of variables.left()) remarks.push({ file: group.file, line, key, words: remarkOn(key) });
  return { username, password, line: group.line, allowFrom, sender, smscIds: smscIds.slice(0, 1), path };
}

type Tell = (key: string, words: string) => void;

/** Kannel checks the allowed addresses first, and admits everybody whom it does not deny. */
function allowedAddresses(variables: GroupVariables, tell: Tell): string[] {
  const [allowed, denied] = [variables.list("user-allow-ip"), variables.list("user-deny-ip")];
  const deniesAll = denied.includes("*.*.*.*");
  if (denied.length > 0 && !deniesAll)
    tell("user-deny-ip", "Peyk names the addresses of a key, not those that are refused");
  if (!deniesAll) {
    if (allowed.length > 0 && !allowed.includes("*.*.*.*"))
      tell("user-allow-ip", "allows nothing that is not allowed anyhow: user-deny-ip does not deny all");
    return [];
  }
  const ranges = allowed.map(rangeOf);
  if (ranges.some((range) => range === null))
    tell("user-allow-ip", "an address that is neither an IP address nor one with * at its end");
  return ranges.flatMap((range) => (range === null || range === "0.0.0.0/0" ? [] : [range]));
}

/** `10.1.*.*` becomes `10.1.0.0/16`. */
function rangeOf(address: string): string | null {
  if (/^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/.test(address) || /^[0-9a-f:]+$/i.test(address)) return address;
  const parts = address.split(".");
  const first = parts.indexOf("*");
  const isRange =
    parts.length === 4 && first >= 0 && parts.every((part, at) => (at < first ? /^\d{1,3}$/.test(part) : part === "*"));
  return isRange ? `${parts.map((part) => (part === "*" ? "0" : part)).join(".")}/${first * 8}` : null;
}

/** Only valid from the addresses of its key, and only carried over on request. */
export const isWeak = ({ password }: Pick<ImportedUser, "password">): boolean => isShort(password);
