/**
 * What Kannel's configuration becomes: routes, a plan by prefixes, senders, keys with credentials; and, by line, what
 * cannot be carried over.
 */
import { sentenceOf } from "../../domain/coded.ts";
import { isOwnPath } from "../../domain/drop-in-credential.ts";
import { englishProblems } from "../../domain/operator-problem.ts";
import { parseMobileNumber } from "../../domain/phone-number.ts";
import { routeKinds } from "../../providers/route-kinds.ts";
import { GroupVariables, type KannelConfig, type KannelGroup, type KannelRemark } from "./kannel-config.ts";
import { remarkOn, remarkOnGroup } from "./kannel-remarks.ts";
import { type ImportedRoute, importedRoute } from "./kannel-routes.ts";
import { type BoxDefaults, type ImportedUser, importedUser, isWeak } from "./kannel-users.ts";

export interface ImportedSender {
  sender: string;
  /** Names of routes, the first one that is up being used; empty where the plan decides. */
  routes: readonly string[];
}

export interface ImportedRule {
  ranges: readonly string[];
  routes: readonly string[];
}

/** What a Kannel service does with a text: it forwards it to a URL. */
export interface ImportedForward {
  line: number;
  keyword: string;
  method: "GET" | "POST";
  url: string;
}

export interface KannelImport {
  routes: ImportedRoute[];
  /** Empty where no connection has prefixes. */
  rules: ImportedRule[];
  senders: ImportedSender[];
  users: ImportedUser[];
  forwards: ImportedForward[];
  /** Settings that the operator has to make by hand. */
  settings: string[];
  remarks: KannelRemark[];
}

export interface ImportOptions {
  /** For prefixes in national spelling. */
  region: string;
  keepsWeakPasswords: boolean;
  /** For users with weak passwords that have no addresses of their own. */
  allowFrom: readonly string[];
}

export function importOf({ groups, remarks: read }: KannelConfig, options: ImportOptions): KannelImport {
  const remarks = [...read];
  const named = (name: string) => groups.filter((group) => group.name === name);
  const routes = routesOf(named("smsc"), remarks);
  const smsbox = named("smsbox")[0];
  const box = smsbox === undefined ? null : new GroupVariables(smsbox);
  const globalSender = box?.text("global-sender") ?? null;
  const path = pathOf(box, remarks);
  const settings = settingsOf(box);
  if (box !== null) for (const one of box.left()) remarks.push(remark(one));
  const users = usersOf(named("sendsms-user"), { globalSender, path }, options, remarks);
  // A connection that only receives carries no messages.
  const carriers = routes.filter(({ file }) => file.bind !== "receiver");
  const rules = rulesOf(carriers, options.region, remarks);
  const senders = sendersOf(users, globalSender, carriers, rules.length > 0, remarks);
  const forwards = named("sms-service").flatMap((group) => forwardOf(group, remarks) ?? []);
  for (const group of groups) remarkUnknown(group, remarks);
  const order = (one: KannelRemark) => `${one.file} ${String(one.line).padStart(7, "0")}`;
  remarks.sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
  return { routes, rules, senders, users, forwards, settings, remarks };
}

const remark = ({ file, line, key }: Pick<KannelRemark, "file" | "line" | "key">): KannelRemark => ({
  file,
  line,
  key,
  words: remarkOn(key),
});

function routesOf(groups: readonly KannelGroup[], remarks: KannelRemark[]): ImportedRoute[] {
  const routes: ImportedRoute[] = [];
  for (const group of groups) {
    const route = importedRoute(group, new Set(routes.map(({ name }) => name)), remarks);
    if (route === null) continue;
    const problems = routeKinds[route.kind].check(route.file);
    // A route that Peyk would refuse is not created at all.
    for (const { key, ...problem } of problems)
      remarks.push({
        file: group.file,
        line: group.line,
        key,
        words: `the route ${route.name} cannot be made: ${sentenceOf(problem, englishProblems)}`,
      });
    if (problems.length === 0) routes.push(route);
  }
  return routes;
}

const usualPath = "/cgi-bin/sendsms";

/** Null for the usual one. */
function pathOf(box: GroupVariables | null, remarks: KannelRemark[]): string | null {
  const path = box?.text("sendsms-url") ?? usualPath;
  if (box === null || path === usualPath) return null;
  if (isOwnPath(path)) return path;
  const words = `another service has the path ${path}, or it has other signs than letters, digits and . _ ~ - /`;
  remarks.push({ file: box.group.file, line: box.line("sendsms-url"), key: "sendsms-url", words });
  return null;
}

function settingsOf(box: GroupVariables | null): string[] {
  const port = box?.text("sendsms-port") ?? null;
  if (port === null) return [];
  const address = box?.text("sendsms-interface") ?? "127.0.0.1";
  const isSecure = box?.flag("sendsms-port-ssl") === true;
  const others =
    address === "127.0.0.1" || isSecure
      ? ""
      : "; beyond this machine it wants a certificate (tls.cert_file) or drop_in.allow_plain";
  return [`drop_in.listen = "${address}:${port}"${others}`];
}

function usersOf(
  groups: readonly KannelGroup[],
  box: BoxDefaults,
  { keepsWeakPasswords, allowFrom }: ImportOptions,
  remarks: KannelRemark[],
): ImportedUser[] {
  return groups.flatMap((group) => {
    const user = importedUser(group, box, remarks);
    if (user === null) return [];
    const refuse = (words: string): [] => {
      remarks.push({
        file: group.file,
        line: group.line,
        key: "password",
        words: `the user ${user.username}: ${words}`,
      });
      return [];
    };
    if (!isWeak(user)) return [user];
    if (!keepsWeakPasswords) return refuse("a password of under twelve characters is taken with --keep-passwords only");
    if (user.allowFrom.length > 0) return [user];
    if (allowFrom.length > 0) return [{ ...user, allowFrom }];
    return refuse(
      "a password of under twelve characters wants addresses: user-deny-ip and user-allow-ip, or --allow-from",
    );
  });
}

/**
 * Rules for the prefixes that connections name: connections that prefer a prefix come before those that only allow it.
 */
function rulesOf(routes: readonly ImportedRoute[], region: string, remarks: KannelRemark[]): ImportedRule[] {
  const chosen = new Map<string, { preferred: string[]; allowed: string[] }>();
  for (const route of routes) {
    for (const kind of ["preferred", "allowed"] as const) {
      for (const prefix of route[kind]) {
        const range = rangeOfPrefix(prefix, region);
        if (range === null) {
          const words = `the prefix ${prefix} names no country: write a rule by peyk plan`;
          remarks.push({ file: "", line: route.line, key: `${kind}-prefix`, words });
          continue;
        }
        const rule = chosen.get(range) ?? { preferred: [], allowed: [] };
        rule[kind].push(route.name);
        chosen.set(range, rule);
      }
    }
  }
  const open = routes.filter(({ allowed }) => allowed.length === 0).map(({ name }) => name);
  // The longest prefix comes first, because the first matching rule decides.
  const rules = [...chosen].sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
  const made = rules.map(([range, { preferred, allowed }]) => ({
    ranges: [range],
    routes: [...new Set([...preferred, ...allowed, ...open])].slice(0, routesMax),
  }));
  return made.length === 0 || open.length === 0 ? made : [...made, { ranges: [], routes: open.slice(0, routesMax) }];
}

const routesMax = 16;
const restLength = 7;

/** The range of `+98912`, `0098912` and, nationally, `0912`. Null for digits that could mean either. */
function rangeOfPrefix(prefix: string, region: string): string | null {
  const digits = prefix.replace(/[^0-9+]/g, "");
  if (/^\+[1-9]\d{0,11}$/.test(digits)) return digits;
  if (/^00[1-9]\d{0,11}$/.test(digits)) return `+${digits.slice(2)}`;
  if (!/^0[1-9]\d{1,9}$/.test(digits)) return null;
  // Builds a national number with this prefix, and removes the padding again.
  for (let rest = restLength - 3; rest <= restLength + 2; rest += 1) {
    const whole = parseMobileNumber(digits + "1".repeat(rest), region);
    if (whole !== null) return whole.slice(0, whole.length - rest);
  }
  return null;
}

const isSender = (sender: string) => sender.length >= 5 && sender.length <= 20;

function sendersOf(
  users: readonly ImportedUser[],
  globalSender: string | null,
  routes: readonly ImportedRoute[],
  hasPlan: boolean,
  remarks: KannelRemark[],
): ImportedSender[] {
  const wanted = new Map<string, readonly string[]>();
  for (const { sender, smscIds, line } of users) {
    if (sender === null || wanted.has(sender)) continue;
    if (!isSender(sender)) {
      remarks.push({ file: "", line, key: "sender", words: `the sender ${sender} has not 5 to 20 characters` });
      continue;
    }
    wanted.set(sender, smscIds);
  }
  if (globalSender !== null && isSender(globalSender) && !wanted.has(globalSender)) wanted.set(globalSender, []);
  return [...wanted].map(([sender, smscIds]) => {
    const own = routes.filter(({ id }) => smscIds.includes(id)).map(({ name }) => name);
    const all = hasPlan ? [] : routes.map(({ name }) => name);
    return { sender, routes: (own.length > 0 ? own : all).slice(0, routesMax) };
  });
}

const urlKeys = [
  ["get-url", "GET"],
  ["post-url", "POST"],
] as const;

/**
 * A forward for each service that sends every text on to a URL. Other services reply themselves, which Peyk does not.
 */
function forwardOf(group: KannelGroup, remarks: KannelRemark[]): ImportedForward | null {
  const variables = new GroupVariables(group);
  const keyword = variables.text("keyword") ?? "";
  const found = urlKeys.flatMap(([key, method]) => {
    const url = variables.text(key);
    return url === null ? [] : [{ line: variables.line(key), keyword, method, url }];
  });
  const [forward] = found;
  variables.flag("catch-all");
  for (const one of variables.left()) {
    const isAnswer = ["text", "file", "exec", "post-xml", "file-octets"].includes(one.key);
    remarks.push(isAnswer ? { ...remark(one), words: "Peyk answers no texts by itself" } : remark(one));
  }
  const regex = group.variables.find(({ key }) => key === "keyword-regex")?.value ?? ".*";
  if (forward === undefined || regex !== ".*") return null;
  if (keyword === "default" || keyword === "") return forward;
  const words = "Peyk hands over every text of a line, whatever word it begins with";
  remarks.push({ file: group.file, line: variables.line("keyword"), key: "keyword", words });
  return null;
}

/** Groups that nothing was made from. */
function remarkUnknown(group: KannelGroup, remarks: KannelRemark[]): void {
  const words = remarkOnGroup(group.name);
  if (words !== "") remarks.push({ file: group.file, line: group.line, key: `group ${group.name}`, words });
  if (group.name !== "core") return;
  for (const one of group.variables) remarks.push(remark(one));
}
