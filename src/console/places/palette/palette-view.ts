/** What the palette finds for a text, and offers on a page. Whatever the reader's role may not open is left out. */
import { comparableText } from "../../../domain/clean-input.ts";
import { roleMay } from "../../../domain/roles.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import type { IconName } from "../../assets/icons.ts";
import { placeLinks } from "../../components/navigation.tsx";
import { systemPlaces } from "../../components/system-tabs.tsx";
import type { Locale } from "../../locale.ts";
import { namedAccount, senderText } from "../../page/accounts-and-senders.ts";
import { type ConsoleApi, orNone } from "../../page/console-api.ts";
import type { PageCall } from "../../page/page.ts";
import { sharedWords, type Words } from "../../words/words.ts";
import { documents } from "../help/documents.ts";
import { helpPath, helpTitle } from "../help/help-document.tsx";
import { messageNamed } from "../messages/message-search.ts";
import { type Act, acts, actsOf, hrefOf, isThingPage, type Thing } from "./acts.ts";
import { paletteWords } from "./words.ts";

export interface Hit {
  name: string;
  note?: string;
  href: string;
  icon: IconName;
  ends?: true;
}

export type GroupName = keyof Words["places"] | keyof (typeof paletteWords)["en"]["groups"];

export interface HitGroup {
  name: GroupName;
  hits: readonly Hit[];
}

export interface Addresses {
  /** The declared path of the page at an address, its permission, and what the address has in place of parameters. */
  pageAt(path: string): { page: string; action: Parameters<typeof roleMay>[1]; params: Record<string, string> } | null;
}

export interface Sought {
  call: Pick<PageCall, "api" | "locale" | "viewer" | "signal">;
  addresses: Addresses;
  text: string;
  /** Path and query of the page beneath; empty for none. */
  at: string;
}

const foundMax = 5;

const wordsIn = (text: string) => comparableText(text).split(/\s+/).filter(Boolean);

/** Every word begins one of the text's. */
function names(words: readonly string[], text: string): boolean {
  const own = wordsIn(text.replaceAll(/[._/-]/g, " "));
  return words.length > 0 && words.every((word) => own.some((one) => one.startsWith(word)));
}

const mayOpen = ({ addresses, call }: Sought, href: string): boolean => {
  const page = addresses.pageAt(href.split(/[?#]/, 1)[0] ?? "");
  return page !== null && roleMay(call.viewer.role, page.action);
};

export async function paletteGroups(sought: Sought): Promise<HitGroup[]> {
  const { call, text } = sought;
  const shown = await shownThing(sought);
  if (text === "") return filled([{ name: "here", hits: hereHits(sought, shown, []) }]);
  const words = wordsIn(text);
  const found = await foundNamed(call.api, text);
  const things = thingsOf(found, sought);
  const [best] = things;
  const groups: HitGroup[] = [
    { name: "number", hits: numberHits(found, sought) },
    { name: "codes", hits: await codeHits(sought) },
    { name: "accounts", hits: accountHits(found, call.locale) },
    { name: "senders", hits: senderHits(found, call.locale) },
    { name: "keys", hits: keyHits(found, sought) },
    { name: "places", hits: placeHits(sought, words) },
    { name: "act", hits: [...actHits(sought, words), ...(best === undefined ? [] : thingHits(sought, best, text))] },
    { name: "here", hits: hereHits(sought, shown, words, found) },
    { name: "settings", hits: await settingHits(sought, words) },
    { name: "help", hits: helpHits(words, call.locale) },
  ];
  const open = groups.map(({ name, hits }) => ({ name, hits: hits.filter(({ href }) => mayOpen(sought, href)) }));
  return [...bestFirst(filled(open), words), ...filled([messagesGroup(sought)])];
}

const filled = (groups: readonly HitGroup[]) => groups.filter(({ hits }) => hits.length > 0);

/** The group with what begins so; then what can be done with it, and where it is not quite what was typed. */
function bestFirst(groups: readonly HitGroup[], [word = ""]: readonly string[]): HitGroup[] {
  const isExact = ({ name, hits }: HitGroup) =>
    name === "number" || name === "codes" || hits.some((hit) => comparableText(hit.name).startsWith(word));
  const score = (group: HitGroup) => (group.name === "act" || group.name === "here" ? 1 : isExact(group) ? 0 : 2);
  return groups.toSorted((a, b) => score(a) - score(b));
}

type Found = AnswerOf<"GET /find">;

/** The words of what can be done to something, in both languages. */
const verbs = Object.values(paletteWords)
  .flatMap(({ actsOn }) => Object.values(actsOn))
  .flatMap((say) => wordsIn(say("").replace("…", "")));

/** What is called so; where the text also says what to do ("suspend mehr"), what the rest of it names. */
async function foundNamed(api: ConsoleApi, text: string): Promise<Found> {
  const found = await api("GET /find", { text: text.slice(0, 100) });
  const rest = wordsIn(text).filter((word) => !verbs.some((verb) => verb.startsWith(word)));
  const isFound = Object.values(found).some((one) => one !== null && one.length > 0);
  if (isFound || rest.length === 0 || rest.length === wordsIn(text).length) return found;
  return api("GET /find", { text: rest.join(" ").slice(0, 100) });
}

function thingsOf(
  { accounts, senders, routes, plans, keys, credentials, number }: Found,
  { text, call: { viewer } }: Sought,
): Thing[] {
  return [
    ...(number === null ? [] : [{ kind: "number" as const, name: text, params: { number } }]),
    ...accounts.map(({ id, name, status }) => ({
      kind: "/accounts/:id" as const,
      name,
      params: { id },
      isSuspended: status === "suspended",
    })),
    ...senders.map((one) => ({ kind: "sender" as const, name: one.sender, params: { sender: senderText(one) } })),
    ...routes.map(({ name }) => ({ kind: "/routes/:name" as const, name, params: { name } })),
    ...plans.map((name) => ({ kind: "/plans/:name" as const, name, params: { name } })),
    ...keys.map(({ id, account, name }) => ({
      kind: viewer.accountId !== null ? ("ownKey" as const) : ("key" as const),
      name,
      params: { key: id, account },
    })),
    ...credentials.map(({ id, name }) => ({ kind: "/credentials/:id" as const, name, params: { id } })),
  ];
}

/** What the page beneath is about. */
async function shownThing({ call, addresses, at }: Sought): Promise<Thing | null> {
  const path = at.split("?", 1)[0] ?? "";
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const page = addresses.pageAt(path.slice(0, end));
    if (page === null || !isThingPage(page.page)) continue;
    const { params } = page;
    const [name = ""] = Object.values(params);
    if (page.page !== "/accounts/:id") return { kind: page.page, name, params };
    const account = await orNone(namedAccount(call.api, name));
    return account === null
      ? null
      : { kind: page.page, name: account.name, params, isSuspended: account.status === "suspended" };
  }
  return null;
}

function thingHits({ call }: Sought, thing: Thing, text: string): Hit[] {
  const say = paletteWords[call.locale.language].actsOn;
  const both = Object.values(paletteWords).map(({ actsOn }) => actsOn);
  const typed = wordsIn(text);
  const asked = actsOf(thing).map((act) => {
    const said = both.flatMap((one) => wordsIn(one[act.name]("")));
    return { act, isMeant: typed.some((word) => said.some((one) => one.startsWith(word))) };
  });
  const meant = asked.some(({ isMeant }) => isMeant) ? asked.filter(({ isMeant }) => isMeant) : asked;
  return meant.map(({ act }) => actHit(act, say[act.name](thing.name), hrefOf(act, thing)));
}

const actHit = ({ icon, ends }: Act<string>, name: string, href: string): Hit => ({
  name,
  href,
  icon,
  ...(ends && { ends }),
});

function actHits({ call }: Sought, words: readonly string[]): Hit[] {
  const say = paletteWords[call.locale.language].acts;
  return acts
    .filter(({ name }) => Object.values(paletteWords).some((one) => names(words, one.acts[name])))
    .map((act) => actHit(act, say[act.name], act.href));
}

/** On the page beneath: what can be done to what it shows, or with its list. */
function hereHits(sought: Sought, shown: Thing | null, words: readonly string[], found?: Found): Hit[] {
  const { at, call } = sought;
  const say = paletteWords[call.locale.language];
  const ofThing =
    shown === null ? [] : thingHits(sought, shown, words.join(" ")).filter((hit) => isNear(words, hit.name));
  const [path, query = ""] = at.split("?");
  if (path !== "/messages") return ofThing.filter(({ href }) => mayOpen(sought, href));
  const only = (found?.accounts ?? []).slice(0, 1).map(({ id, name }): Hit => {
    const asked = new URLSearchParams(query);
    asked.set("account", id);
    asked.delete("before");
    return { name: say.onlyAccount(name), note: say.onlyNote, href: `/messages?${asked}`, icon: "filter" };
  });
  const csv: Hit = { name: say.csv, href: `/messages.csv${query === "" ? "" : `?${query}`}`, icon: "download" };
  return [...only, ...(isNear(words, csv.name) ? [csv] : [])];
}

const isNear = (words: readonly string[], text: string) =>
  words.every((word) => wordsIn(text.replaceAll(/[\u2068\u2069…]/g, "")).some((one) => one.startsWith(word)));

/** As it was typed, which is how its reader writes it. */
function numberHits({ number }: Found, { text, call }: Sought): Hit[] {
  if (number === null) return [];
  const href = `/messages?${new URLSearchParams({ q: number })}`;
  return [{ name: text, note: paletteWords[call.locale.language].messagesTo, href, icon: "messages" }];
}

/** `01JD…`, `camp_7`: the whole of one. Ids of accounts, keys and credentials are found with their names. */
async function codeHits({ call: { api, locale }, text }: Sought): Promise<Hit[]> {
  const say = paletteWords[locale.language];
  const code = await messageNamed(api, text);
  if (code !== null) return [{ name: code, note: say.code, href: `/messages/${code}`, icon: "messages" }];
  const id = comparableText(text);
  const campaign = /^camp_[1-9]\d{0,14}$/.test(id) ? await orNone(api("GET /campaigns/:id", { id })) : null;
  return campaign === null
    ? []
    : [{ name: campaign.name ?? id, note: say.campaign, href: `/campaigns/${id}`, icon: "campaign" }];
}

function accountHits({ accounts }: Found, { language }: Locale): Hit[] {
  const say = paletteWords[language];
  return accounts.map(({ id, name, status }) => ({
    name,
    note: status === "suspended" ? `${id} · ${say.suspended}` : id,
    href: `/accounts/${id}`,
    icon: "account",
  }));
}

function senderHits({ senders, routes, plans }: Found, { language }: Locale): Hit[] {
  const say = paletteWords[language];
  return [
    ...senders.map(
      ({ sender, account, accountName, active }): Hit => ({
        name: sender,
        note: active ? say.of(accountName) : `${say.of(accountName)} · ${say.inactive}`,
        href: `/messages?${new URLSearchParams({ sender, account })}`,
        icon: "send",
      }),
    ),
    ...routes.map(
      ({ name }): Hit => ({ name, note: say.route, href: `/routes/${encodeURIComponent(name)}`, icon: "route" }),
    ),
    ...plans.map((name): Hit => ({ name, note: say.plan, href: `/plans/${encodeURIComponent(name)}`, icon: "filter" })),
  ];
}

function keyHits({ keys, credentials }: Found, { call: { viewer, locale } }: Sought): Hit[] {
  const say = paletteWords[locale.language];
  const isOwn = viewer.accountId !== null;
  const of = (kind: string, accountName: string) => (isOwn ? kind : `${kind} ${say.of(accountName)}`);
  return [
    ...keys.map(
      ({ name, account, accountName }): Hit => ({
        name,
        note: of(say.key, accountName),
        href: isOwn ? "/keys" : `/accounts/${account}/keys?${new URLSearchParams({ q: name })}`,
        icon: "key",
      }),
    ),
    ...credentials.map(
      ({ id, name, accountName }): Hit => ({
        name,
        note: of(say.credential, accountName),
        href: `/credentials/${id}`,
        icon: "link",
      }),
    ),
  ];
}

function placeHits({ call: { locale, viewer } }: Sought, words: readonly string[]): Hit[] {
  const places: readonly { href: string; icon: IconName; place: keyof Words["places"] }[] = [
    ...placeLinks(viewer.role),
    ...systemPlaces.slice(1).map(({ href, place }) => ({ href, place, icon: "system" as const })),
    { href: "/settings", place: "settings", icon: "account" },
  ];
  return places
    .filter(({ place }) => Object.values(sharedWords).some(({ places: named }) => names(words, named[place])))
    .map(({ href, icon, place }) => ({ name: locale.words.places[place], href, icon }));
}

/** The browser scrolls to the name. */
async function settingHits(sought: Sought, words: readonly string[]): Promise<Hit[]> {
  const { call } = sought;
  const [word = ""] = words;
  if (word.length < 2 || !mayOpen(sought, "/system/settings")) return [];
  const { settings } = await call.api("GET /settings");
  const note = paletteWords[call.locale.language].setting;
  return settings
    .filter(({ key }) => names(words, key.replaceAll("_", " ")) || key.startsWith(word))
    .slice(0, foundMax)
    .map(({ key }) => ({ name: key, note, href: `/system/settings#:~:text=${key}`, icon: "system" as const }));
}

function helpHits(words: readonly string[], { language }: Locale): Hit[] {
  const other = language === "fa" ? "en" : "fa";
  const pages = ([language, other] as const).flatMap((one) =>
    Object.keys(documents[one]).map((key) => ({ key, name: helpTitle(one, key) ?? key, href: helpPath(one, key) })),
  );
  return pages
    .filter(({ key, name }) => names(words, `${name} ${key}`))
    .slice(0, foundMax)
    .map(({ name, href }) => ({ name, href, icon: "book" }));
}

/** Whatever was typed may be in a message. */
function messagesGroup({ call, text }: Sought): HitGroup {
  const name = paletteWords[call.locale.language].searchMessages(text);
  return { name: "messages", hits: [{ name, href: `/messages?${new URLSearchParams({ q: text })}`, icon: "search" }] };
}
