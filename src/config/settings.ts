/** Loads the settings: flag over environment over file over default, with all problems reported at once. */

import { isIP } from "node:net";
import { nearest } from "../domain/nearest.ts";
import { oidcBackPath } from "../domain/ways-in.ts";
import { isSecureUrl } from "../platform/secure-url.ts";
import {
  type Origin,
  originText,
  type SettingEntry,
  type SettingProblem,
  type SettingSources,
  settingEntries,
} from "./entries.ts";
import { readConfigFile } from "./file.ts";
import { hostPortOf, isLoopback } from "./host-port.ts";
import type { registry } from "./registry.ts";
import type { Setting } from "./setting-types.ts";

export { type Origin, originText, type SettingEntry, type SettingProblem, type SettingSources, settingEntries };

type ValuesOf<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends Setting<infer Value> ? Value : ValuesOf<Tree[Key]>;
};

/** Nested and camelCase: `settings.http.requestsPerMinute`. */
export type Settings = ValuesOf<typeof registry>;

export interface SettingsSource {
  /** By dotted key. */
  origins: ReadonlyMap<string, Origin>;
  /** The file that was read, or null. */
  file: string | null;
}

export type LoadedSettings =
  | {
      ok: true;
      settings: Settings;
      origins: SettingsSource["origins"];
      file: SettingsSource["file"];
      /** Sentences about ignored input. */
      warnings: readonly string[];
    }
  | { ok: false; problems: readonly SettingProblem[] };

/** Names starting with PEYK_ that are not settings but have a meaning of their own. */
const otherEnvironment = ["PEYK_CONFIG", "PEYK_SOCKET"];

interface RawValue {
  value: unknown;
  origin: Origin;
}

/** Reads every source, and returns either valid settings or all problems found. Never throws for bad content. */
export function loadSettings(sources: SettingSources): LoadedSettings {
  const file = readConfigFile(sources);
  const problems = [...file.problems, ...unknownFlags(sources.flags)];
  const settings = {};
  const origins = new Map<string, Origin>();
  for (const entry of settingEntries) {
    const raw = fromText(entry, sources) ?? file.values.get(entry.key) ?? fromDefault(entry);
    const reading = entry.setting.read(raw.value);
    if (!reading.ok) problems.push(wrongValue(entry, raw, reading.why));
    place(settings, entry.path, reading.ok ? reading.value : entry.setting.default);
    origins.set(entry.key, raw.origin);
  }
  if (!isSettings(settings)) throw new Error("a setting's default does not pass its own check");
  const wrong = problems.map(({ key }) => `so ${key} must be set too.`);
  const isTold = ({ message }: SettingProblem) => wrong.some((words) => message.endsWith(words));
  problems.push(...contradictions(settings, origins).filter((problem) => !isTold(problem)));
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    settings,
    origins,
    file: file.path,
    warnings: unknownEnvironment(sources.env),
  };
}

/** Only the built-in defaults, for tests and for programs that run without a file. */
export function defaultSettings(): Settings {
  const loaded = loadSettings({ flags: {}, env: {}, readFile: () => null });
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join("\n"));
  return loaded.settings;
}

/** True if every leaf has a value that its setting accepts; `Settings` is derived from the same registry. */
function isSettings(value: unknown): value is Settings {
  return settingEntries.every(({ path, setting }) => setting.read(at(value, path)).ok);
}

/** The value under a path of property names, undefined if the path ends early. */
export function at(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (node, name) => (typeof node === "object" && node !== null ? Reflect.get(node, name) : undefined),
    root,
  );
}

function place(root: object, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) {
    Reflect.set(root, name, value);
    return;
  }
  const section: unknown = Reflect.get(root, name) ?? {};
  if (typeof section !== "object" || section === null) throw new Error(`${name} is both a setting and a section`);
  Reflect.set(root, name, section);
  place(section, rest, value);
}

/** An empty variable counts as not set, except where empty has a meaning: no entries, no file. */
function fromText(entry: SettingEntry, { flags, env }: SettingSources): RawValue | null {
  const flag = flags[entry.key];
  if (flag !== undefined) {
    const name = `--${entry.key.replaceAll(/[._]/g, "-")}`;
    return { value: entry.setting.parse(flag), origin: { source: "flag", name } };
  }
  const variable = env[entry.environment];
  if (variable === undefined) return null;
  const emptyMeans = entry.setting.default === null || Array.isArray(entry.setting.default);
  if (variable === "" && !emptyMeans) return null;
  return { value: entry.setting.parse(variable), origin: { source: "environment", name: entry.environment } };
}

function fromDefault(entry: SettingEntry): RawValue {
  return { value: entry.setting.default, origin: { source: "default" } };
}

function wrongValue(entry: SettingEntry, raw: RawValue, why: string): SettingProblem {
  // JSON turns TOML's nan and inf into null.
  const shown = typeof raw.value === "number" ? String(raw.value) : JSON.stringify(raw.value)?.slice(0, 80);
  return {
    key: entry.key,
    message: `${originText(raw.origin)}: ${entry.key} must be ${why}, not ${shown}.`,
    origin: raw.origin,
  };
}

function unknownFlags(flags: SettingSources["flags"]): SettingProblem[] {
  const known = new Set(settingEntries.map((entry) => entry.key));
  return Object.keys(flags)
    .filter((key) => !known.has(key))
    .map((key) => ({ key, message: `There is no setting ${key}.`, origin: { source: "flag", name: key } }));
}

/** A warning rather than an error: orchestrators add variables under a service's name (PEYK_SERVICE_HOST). */
function unknownEnvironment(env: SettingSources["env"]): string[] {
  const known = [...settingEntries.map((entry) => entry.environment), ...otherEnvironment];
  return Object.keys(env)
    .filter((name) => name.startsWith("PEYK_") && !known.includes(name))
    .map((name) => {
      const close = nearest(name, known);
      return `Environment ${name} is no setting and is ignored.${close === null ? "" : ` Did you mean ${close}?`}`;
    });
}

/** Checks combinations of settings. */
function contradictions(settings: Settings, origins: ReadonlyMap<string, Origin>): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const complain = (key: string, message: string) =>
    problems.push({ key, message, origin: origins.get(key) ?? { source: "default" } });
  const sections = { tls: settings.tls, "console.tls": settings.console.tls, "portal.tls": settings.portal.tls };
  for (const [section, { certFile, keyFile }] of Object.entries(sections)) {
    if (certFile !== null && keyFile === null)
      complain(`${section}.key_file`, `${section}.cert_file is set, so ${section}.key_file must be set too.`);
    if (keyFile !== null && certFile === null)
      complain(`${section}.cert_file`, `${section}.key_file is set, so ${section}.cert_file must be set too.`);
  }
  const listeners = {
    listen: settings.listen,
    console_listen: settings.consoleListen,
    portal_listen: settings.portalListen,
    "smpp_server.listen": settings.smppServer.listen,
    "smpp_server.tls_listen": settings.smppServer.tlsListen,
    "drop_in.listen": settings.dropIn.listen,
    "smtp_server.listen": settings.smtpServer.listen,
    "smtp_server.tls_listen": settings.smtpServer.tlsListen,
  };
  const seen = new Map<string, string>();
  for (const [key, address] of Object.entries(listeners)) {
    if (address === null || address.endsWith(":0")) continue;
    const other = seen.get(address);
    if (other !== undefined) complain(key, `${other} and ${key} are both ${address}; they must differ.`);
    else seen.set(address, key);
  }
  if (settings.smppServer.tlsListen !== null && settings.tls.certFile === null)
    complain("smpp_server.tls_listen", "smpp_server.tls_listen is set, so tls.cert_file must be set too.");
  if (isPlainBeyondLoopback(settings))
    complain(
      "drop_in.listen",
      "drop_in.listen serves other machines, so tls.cert_file must be set, or drop_in.allow_plain: passwords would cross the network in plain.",
    );
  const missing = [missingForAlerts, missingForMail, missingForTarget].flatMap((of) => of(settings));
  for (const { key, needs } of missing) complain(key, `${key} is set, so ${needs} must be set too.`);
  for (const { key, message } of signInContradictions(settings)) complain(key, message);
  const { endpoint, pathStyle } = settings.backupTarget;
  if (endpoint !== null && !pathStyle && isIpHost(endpoint))
    complain(
      "backup_target.path_style",
      `backup_target.path_style must be true: no bucket's name can stand before an address such as ${endpoint}.`,
    );
  return problems;
}

const isIpHost = (origin: string) => isIP(new URL(origin).hostname.replaceAll(/^\[|\]$/g, "")) !== 0;

function isPlainBeyondLoopback({ dropIn, tls }: Settings): boolean {
  if (dropIn.listen === null || dropIn.allowPlain || tls.certFile !== null) return false;
  return !isLoopback(hostPortOf(dropIn.listen).hostname);
}

/** What the listeners for mail need in addition: without it nobody could sign in. */
function missingForMail({ smtpServer, tls }: Settings): { key: string; needs: string }[] {
  const { listen, tlsListen, domain, plainFrom } = smtpServer;
  const hasNoCertificate = tls.certFile === null;
  const needed = [
    [listen, "listen", "smtp_server.domain", domain === ""],
    [tlsListen, "tls_listen", "smtp_server.domain", domain === ""],
    [listen, "listen", "tls.cert_file or smtp_server.plain_from", hasNoCertificate && plainFrom.length === 0],
    [tlsListen, "tls_listen", "tls.cert_file", hasNoCertificate],
  ] as const;
  return needed.flatMap(([address, name, needs, isMissing]) =>
    address !== null && isMissing ? [{ key: `smtp_server.${name}`, needs }] : [],
  );
}

/** Ways in that lead nowhere. */
function signInContradictions({ oidc, console, portal }: Settings): { key: string; message: string }[] {
  const sides = [
    { name: "console", section: "oidc", provider: oidc, url: console.url, demands: ["staff", "everybody"] },
    { name: "portal", section: "oidc.portal", provider: oidc.portal, url: portal.url, demands: ["everybody"] },
  ];
  const found = sides.flatMap(({ name, section, provider, url, demands }) => {
    const { issuer, clientId, redirectUrl, acrValues, roles } = provider;
    if (issuer === null) return [];
    const back = URL.parse(redirectUrl ?? `${url}${oidcBackPath}`);
    const isWay = back !== null && back.pathname === oidcBackPath && isSecureUrl(back);
    return [
      { key: "client_id", is: clientId !== "", says: "must be set, as an issuer is." },
      { key: "roles", is: roles.length > 0, says: "must say who may come in, as an issuer is set." },
      {
        key: "redirect_url",
        is: isWay,
        says: `(ending in ${oidcBackPath}) or ${name}.url must say by https, or http of this machine, where people come back to.`,
      },
      {
        key: "acr_values",
        is: acrValues !== "" || !demands.includes(console.secondFactor),
        says: "must ask the provider for the second factor that console.second_factor demands.",
      },
    ].flatMap(({ key, is, says }) => (is ? [] : [{ key: `${section}.${key}`, message: `${section}.${key} ${says}` }]));
  });
  if (console.passwords === "allowed" || oidc.issuer !== null) return found;
  const message = "console.passwords keeps people out, so oidc.issuer must be set.";
  return [...found, { key: "console.passwords", message }];
}

/** What an alert channel needs in addition. */
function missingForAlerts({ alerts }: Settings): { key: string; needs: string }[] {
  const { webhookUrl, webhookSecretFile, smtpServer, mailFrom, mailTo, smsTo, smsSender } = alerts;
  const hasNoMail = mailFrom === "" || mailTo.length === 0;
  return [
    ...(webhookUrl !== "" && webhookSecretFile === null
      ? [{ key: "alerts.webhook_url", needs: "alerts.webhook_secret_file" }]
      : []),
    ...(smtpServer !== "" && hasNoMail
      ? [{ key: "alerts.smtp_server", needs: "alerts.mail_from and alerts.mail_to" }]
      : []),
    ...(smsTo.length > 0 && smsSender === "" ? [{ key: "alerts.sms_to", needs: "alerts.sms_sender" }] : []),
  ];
}

function missingForTarget({ backupTarget }: Settings): { key: string; needs: string }[] {
  const { endpoint, bucket, keyFile, publicKey } = backupTarget;
  const missing = [
    ...(bucket === "" ? ["backup_target.bucket"] : []),
    ...(keyFile === null ? ["backup_target.key_file"] : []),
    ...(publicKey === "" ? ["backup_target.public_key (by peyk backup target-key)"] : []),
  ];
  return endpoint === null ? [] : missing.map((needs) => ({ key: "backup_target.endpoint", needs }));
}
