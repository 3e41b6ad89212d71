/**
 * What the palette offers to do: an address with a question or a form, which says who may open it. One more is an
 * entry here, and its words.
 */
import type { IconName } from "../../assets/icons.ts";
import type { paletteWords } from "./words.ts";

type PaletteWords = (typeof paletteWords)["en"];

export interface Act<Name> {
  name: Name;
  href: string;
  icon: IconName;
  /** It ends or removes something, after a question. */
  ends?: true;
}

/** Each needs nothing else. */
export const acts: readonly Act<keyof PaletteWords["acts"]>[] = [
  { name: "send", href: "/send", icon: "send" },
  { name: "newAccount", href: "/accounts/new", icon: "account" },
  { name: "newRoute", href: "/routes/-new", icon: "route" },
  { name: "newPlan", href: "/plans/-new", icon: "filter" },
  { name: "newGroup", href: "/groups/new", icon: "group" },
  { name: "newPattern", href: "/patterns/new", icon: "pattern" },
  { name: "newCallback", href: "/callbacks/new", icon: "callback" },
  { name: "newCredential", href: "/credentials/new", icon: "link" },
  { name: "newKey", href: "/keys/new", icon: "key" },
  { name: "silence", href: "/alerts/silence", icon: "pause" },
  { name: "diagnostics", href: "/system/diagnostics", icon: "download" },
  { name: "secondFactor", href: "/settings/second-factor", icon: "key" },
  { name: "passkey", href: "/settings/passkeys/new", icon: "key" },
  { name: "keyboard", href: "/keyboard", icon: "system" },
];

type ActOn = Act<keyof PaletteWords["actsOn"]>;

const ending = (href: string, name: ActOn["name"], icon: IconName): ActOn => ({ name, href, icon, ends: true });

/** By the page of what they are done to, whose parameters their addresses have. */
export const actsOn = {
  "/accounts/:id": [
    { name: "messagesOf", href: "/messages?account=:id", icon: "messages" },
    { name: "topUp", href: "/accounts/:id/balance", icon: "money" },
    ending("/accounts/:id/suspend", "suspend", "pause"),
    { name: "keyFor", href: "/accounts/:id/keys/new", icon: "key" },
    { name: "senderFor", href: "/accounts/:id/senders/new", icon: "plus" },
    { name: "settingsOf", href: "/accounts/:id/settings", icon: "system" },
    { name: "statementOf", href: "/accounts/:id/money", icon: "chart" },
    { name: "changesOf", href: "/accounts/:id/changes", icon: "clock" },
  ],
  "/routes/:name": [
    { name: "messagesOver", href: "/messages?route=:name", icon: "messages" },
    { name: "change", href: "/routes/:name/change", icon: "system" },
    ending("/routes/:name/remove", "remove", "cancelled"),
  ],
  "/plans/:name": [ending("/plans/:name/remove", "remove", "cancelled")],
  "/messages/:code": [
    { name: "resend", href: "/messages/:code/resend", icon: "again" },
    ending("/messages/:code/cancel", "cancel", "cancelled"),
    ending("/messages/:code/block", "blockRecipient", "cancelled"),
  ],
  "/campaigns/:id": [
    { name: "resend", href: "/campaigns/:id/resend", icon: "again" },
    ending("/campaigns/:id/stop", "stop", "cancelled"),
  ],
  "/credentials/:id": [
    { name: "change", href: "/credentials/:id/change", icon: "system" },
    { name: "rotate", href: "/credentials/:id/rotate", icon: "again" },
    ending("/credentials/:id/revoke", "revoke", "cancelled"),
  ],
  "/callbacks/:id/deliveries": [
    { name: "change", href: "/callbacks/:id/change", icon: "system" },
    { name: "replay", href: "/callbacks/:id/replay", icon: "again" },
    ending("/callbacks/:id/remove", "remove", "cancelled"),
  ],
  /** Has no page of its own. */
  key: [
    { name: "rotate", href: "/accounts/:account/keys/:key/rotate", icon: "again" },
    ending("/accounts/:account/keys/:key/revoke", "revoke", "cancelled"),
  ],
  ownKey: [
    { name: "rotate", href: "/keys/:key/rotate", icon: "again" },
    ending("/keys/:key/revoke", "revoke", "cancelled"),
  ],
  sender: [{ name: "sendFrom", href: "/send?from=:sender", icon: "send" }],
  number: [
    { name: "sendTo", href: "/send?to=:number", icon: "send" },
    { name: "conversation", href: "/conversation?number=:number", icon: "messages" },
    ending("/suppression?find=:number", "block", "cancelled"),
  ],
} satisfies Readonly<Record<string, readonly ActOn[]>>;

export type ThingKind = keyof typeof actsOn;

export interface Thing {
  kind: ThingKind;
  name: string;
  /** For the addresses of its acts. */
  params: Readonly<Record<string, string>>;
  isSuspended?: boolean;
}

export const isThingPage = (path: string): path is Extract<ThingKind, `/${string}`> => Object.hasOwn(actsOn, path);

export const hrefOf = (act: ActOn, { params }: Thing): string =>
  act.href.replace(/:([a-z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));

export const actsOf = ({ kind, isSuspended }: Thing): readonly ActOn[] =>
  actsOn[kind].filter(({ name }) => name !== "suspend" || isSuspended !== true);
