/** Something that needs attention, as a sentence with its cause and the page to fix it on. */

import type { CodedCondition } from "../../../conditions/conditions.ts";
import { type Role, roleMay } from "../../../domain/roles.ts";
import type { Attention } from "../../../operator/attention.ts";
import type { PillState } from "../../components/pill.tsx";
import type { Locale } from "../../locale.ts";
import { routeTrouble } from "../../page/message-reason.ts";
import { senderRoutesHref } from "../accounts/senders.tsx";
import { conditionTexts, noticeFailureSentence } from "../alerts/alert.ts";
import { nowWords } from "./words.ts";

export interface NeedText {
  state: Extract<PillState, "down" | "failed" | "attention">;
  sentence: string;
  cause: string;
  action: string;
  /** Null if the reader may not open the page that fixes it. */
  href: string | null;
  /** What else helps: a quieter link. */
  second?: { label: string; href: string } | undefined;
}

type StaffText = NeedText & { href: string };
type TextOf<Kind extends Attention["kind"]> = (
  need: Extract<Attention, { kind: Kind }>,
  locale: Locale,
  role: Role,
) => StaffText;

type Attempt = NonNullable<Extract<Attention, { kind: "callbacksFailing" }>["attempt"]>;

/** In Persian. */
function answerOf({ failure, status, detail }: Attempt, locale: Locale): string {
  if (status !== null) return locale.format.plain(status);
  const values = { failure: failure ?? "", status, detail: detail ?? "" };
  return noticeFailureSentence({ code: "not_called", values }, locale);
}

type LookWords = (typeof nowWords)["en"]["need"]["look"];
/** The page that fixes it, and what its button says. */
type Solution = readonly [says: keyof LookWords, href: string];

const routePage = (route: string, rest = ""): string => `/routes/${encodeURIComponent(route)}${rest}`;
const failedOf = (route: string): string =>
  `/messages?${new URLSearchParams({ status: "failed", route, range: "24h" })}`;

/** Conditions whose page is the same whatever they name. */
const places = {
  Damaged: ["backups", "/system#backups"],
  Held: ["queue", "/system#queue"],
  ClockAhead: ["clock", "/system#clock"],
  BooksAhead: ["clock", "/system#clock"],
  OtpLate: ["waiting", "/messages?status=queued"],
  SingleLate: ["waiting", "/messages?status=queued"],
  BulkLate: ["waiting", "/messages?status=queued"],
  BackupOld: ["backups", "/system#backups"],
  FrequentBackupOld: ["backups", "/system#backups"],
  BackupNotElsewhere: ["backups", "/system#backups"],
  BackupTargetFails: ["backups", "/backups"],
  CertificateEnds: ["certificate", "/system#certificate"],
  PortedNumbersUnusable: ["ported", "/plans#ported"],
  DiskFull: ["disk", "/system#disk"],
  WalGrows: ["disk", "/system#disk"],
  CannotStore: ["disk", "/system#disk"],
  CommitsSlow: ["system", "/system"],
  EventLoopSlow: ["system", "/system"],
  CallbacksFail: ["callbacks", "/callbacks"],
  WebhookSwitchedOff: ["callbacks", "/callbacks"],
  PasswordsGuessed: ["credentials", "/credentials"],
} as const satisfies Readonly<Record<string, Solution>>;

const isIn = <Name extends string>(names: Readonly<Record<Name, unknown>>, name: string): name is Name => name in names;

/** For this role: a page that it may not change leads to the one that it may read. */
function solutionOf(need: CodedCondition, role: Role): Solution {
  if (isIn(places, need.code)) return places[need.code];
  switch (need.code) {
    case "ReceiptsUnmatched":
      return ["match", routePage(need.values.route, "#unmatched")];
    case "Refusals":
    case "DeliveryRateFell":
      return ["failed", failedOf(need.values.route)];
    case "Throttled":
      return roleMay(role, "routes.change")
        ? ["slower", routePage(need.values.route, "/change")]
        : ["route", routePage(need.values.route)];
    case "RouteDown":
    case "ReceiptsMissing":
    case "ReceiptsOrphaned":
      return ["route", routePage(need.values.route)];
    case "DeliveriesNotTaken":
      return ["credential", `/credentials/${need.values.credential}`];
    case "BalanceLow":
      return roleMay(role, "accounts.change")
        ? ["balance", `/accounts/${need.values.account}/balance`]
        : ["account", `/accounts/${need.values.account}`];
    case "TrafficJumped":
      return ["account", `/accounts/${need.values.account}`];
    case "QuotaNearlyUsed":
      return need.values.of.startsWith("acc_") ? ["account", `/accounts/${need.values.of}`] : ["keys", "/keys"];
    default:
      return ["alerts", "/alerts"];
  }
}

/** Beside the page that solves it, the one that shows it. */
function furtherOf(need: CodedCondition, look: LookWords) {
  switch (need.code) {
    case "Refusals":
    case "DeliveryRateFell":
      return { label: look.route, href: routePage(need.values.route) };
    case "BalanceLow":
      return { label: look.statement, href: `/accounts/${need.values.account}/money` };
    case "TrafficJumped":
      return {
        label: look.messages,
        href: `/messages?${new URLSearchParams({ account: need.values.account, range: "1h" })}`,
      };
    default:
      return undefined;
  }
}

const texts: { readonly [Kind in Attention["kind"]]: TextOf<Kind> } = {
  condition: (need, locale, role) => {
    const { why, look } = nowWords[locale.language].need;
    const [says, href] = solutionOf(need, role);
    return {
      state: need.code === "Damaged" ? "failed" : "attention",
      sentence: `${conditionTexts(need, locale).says}.`,
      cause: isIn(why, need.code) ? why[need.code] : why.unknown,
      action: look[says],
      href,
      second: furtherOf(need, look),
    };
  },
  routeDown: ({ route, since, waiting, cause, reason }, locale, role) => {
    const say = nowWords[locale.language].need;
    const told = reason === null ? cause : routeTrouble(reason, locale);
    const isSignIn = reason?.code === "bind_refused" && roleMay(role, "routes.change");
    return {
      state: "down",
      sentence: say.routeDown(route, locale.format.minute(since)),
      cause: say.routeDownCause(locale.format.count(waiting), told.trim() === "" ? null : told),
      action: isSignIn ? say.look.signIn : say.look.route,
      href: routePage(route, isSignIn ? "/change" : ""),
      second:
        waiting === 0
          ? undefined
          : { label: say.look.waiting, href: `/messages?${new URLSearchParams({ status: "queued", route })}` },
    };
  },
  callbacksFailing: ({ webhook, account, host, since, waiting, answer, attempt }, locale, role) => ({
    state: "failed",
    sentence: nowWords[locale.language].need.callbacksFailing(account, host, locale.format.minute(since)),
    cause: nowWords[locale.language].need.callbacksFailingCause(
      locale.format.count(waiting),
      attempt === null || (locale.language === "en" && answer !== null) ? answer : answerOf(attempt, locale),
    ),
    action: nowWords[locale.language].need.look[attempt === null && answer === null ? "switchOn" : "deliveries"],
    href: `/callbacks/${encodeURIComponent(webhook)}/deliveries`,
    ...(roleMay(role, "callbacks.change") &&
      attempt !== null && {
        second: {
          label: nowWords[locale.language].need.look.again,
          href: `/callbacks/${encodeURIComponent(webhook)}/replay`,
        },
      }),
  }),
  simulator: ({ senders, more, account }, { language, format }) => ({
    state: "attention",
    sentence: nowWords[language].need.simulator(
      format.list(more === 0 ? senders : [...senders, nowWords[language].need.more(format.count(more))]),
    ),
    cause: nowWords[language].need.simulatorCause,
    action: nowWords[language].need.look.chooseRoute,
    href: account === null ? "/senders" : senderRoutesHref(account, senders[0] ?? ""),
  }),
};

export function needText<Kind extends Attention["kind"]>(
  need: Extract<Attention, { kind: Kind }>,
  locale: Locale,
  role: Role,
): NeedText {
  const text: TextOf<Kind> = texts[need.kind];
  return openTo(text(need, locale, role), role);
}

/** The pages behind addresses, and who may open them. */
const openedBy = [
  [/^\/(system|alerts)/, "system.read"],
  [/^\/accounts\/[^/]+\/senders\/routes/, "accounts.change"],
] as const;

function openTo(found: StaffText, role: Role): NeedText {
  const isOpen = openedBy.every(([place, action]) => !place.test(found.href) || roleMay(role, action));
  return isOpen ? found : { ...found, href: null };
}

type RouteDown = Extract<Attention, { kind: "routeDown" }>;

/** Listed one by one up to this many; beyond that the rest share one line, which names a few of them. */
const toldMax = 3;
const routesDownNamedMax = 8;

function gatheredRoutes(routes: readonly RouteDown[], { language, format }: Locale): StaffText {
  const say = nowWords[language];
  const named = routes.slice(0, routesDownNamedMax).map(({ route }) => route);
  const more = routes.length - named.length;
  const names = format.list(more === 0 ? named : [...named, say.need.routesDownMore(format.count(more))]);
  const waiting = routes.reduce((sum, route) => sum + route.waiting, 0);
  return {
    state: "down",
    sentence: say.need.routesDown(format.count(routes.length), names),
    cause: say.need.routesDownCause(format.count(waiting)),
    action: say.need.look.routes,
    href: "/routes",
  };
}

const moreAlike = (count: number, { language, format }: Locale): StaffText => ({
  state: "attention",
  sentence: nowWords[language].need.moreAlike(format.count(count)),
  cause: nowWords[language].need.moreAlikeCause,
  action: nowWords[language].need.look.alerts,
  href: "/alerts",
});

/** All of them; one line for each of hundreds of routes or accounts would hide the others. */
export function needTexts(needs: readonly Attention[], locale: Locale, role: Role): NeedText[] {
  const kindOf = (need: Attention) => (need.kind === "condition" ? need.code : need.kind);
  const alike = [...Map.groupBy(needs, kindOf).values()];
  return alike.flatMap((same) => {
    const gathered = same.slice(toldMax);
    if (gathered.length < 2) return same.map((need) => needText(need, locale, role));
    const told = same.slice(0, toldMax).map((need) => needText(need, locale, role));
    const routes = gathered.filter((need) => need.kind === "routeDown");
    const rest = routes.length > 0 ? gatheredRoutes(routes, locale) : moreAlike(gathered.length, locale);
    return [...told, openTo(rest, role)];
  });
}
