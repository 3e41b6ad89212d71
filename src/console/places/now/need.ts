/** Something that needs attention, as a sentence with its cause and the page to fix it on. */
import { type Role, roleMay } from "../../../domain/roles.ts";
import type { Attention } from "../../../operator/attention.ts";
import { conditionPages } from "../../../operator/condition-pages.ts";
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
}

type StaffText = NeedText & { href: string };
type TextOf<Kind extends Attention["kind"]> = (need: Extract<Attention, { kind: Kind }>, locale: Locale) => StaffText;

type Attempt = NonNullable<Extract<Attention, { kind: "callbacksFailing" }>["attempt"]>;

/** In Persian. */
function answerOf({ failure, status, detail }: Attempt, locale: Locale): string {
  if (status !== null) return locale.format.plain(status);
  const values = { failure: failure ?? "", status, detail: detail ?? "" };
  return noticeFailureSentence({ code: "not_called", values }, locale);
}

const isIn = <Name extends string>(names: Readonly<Record<Name, unknown>>, name: string): name is Name => name in names;

const texts: { readonly [Kind in Attention["kind"]]: TextOf<Kind> } = {
  condition: (need, locale) => {
    const { says, todo } = conditionTexts(need, locale);
    const { why, look } = nowWords[locale.language].need;
    const place = isIn(conditionPages, need.code) ? conditionPages[need.code] : "/alerts";
    return {
      state: need.code === "Damaged" ? "failed" : "attention",
      sentence: `${says}.`,
      cause: isIn(why, need.code) ? why[need.code] : todo,
      action: look[place],
      href: need.code === "ReceiptsUnmatched" ? `/routes/${encodeURIComponent(need.values.route)}#unmatched` : place,
    };
  },
  routeDown: ({ route, since, waiting, cause, reason }, locale) => ({
    state: "down",
    sentence: nowWords[locale.language].need.routeDown(route, locale.format.minute(since)),
    cause: nowWords[locale.language].need.routeDownCause(
      locale.format.count(waiting),
      reason === null ? cause : routeTrouble(reason, locale),
    ),
    action: nowWords[locale.language].need.routeDownAction,
    href: `/routes/${encodeURIComponent(route)}`,
  }),
  callbacksFailing: ({ webhook, account, host, since, waiting, answer, attempt }, locale) => ({
    state: "failed",
    sentence: nowWords[locale.language].need.callbacksFailing(account, host, locale.format.minute(since)),
    cause: nowWords[locale.language].need.callbacksFailingCause(
      locale.format.count(waiting),
      attempt === null || (locale.language === "en" && answer !== null) ? answer : answerOf(attempt, locale),
    ),
    action: nowWords[locale.language].need.callbacksFailingAction,
    href: `/callbacks/${encodeURIComponent(webhook)}/deliveries`,
  }),
  simulator: ({ senders, more, account }, { language, format }) => ({
    state: "attention",
    sentence: nowWords[language].need.simulator(
      format.list(more === 0 ? senders : [...senders, nowWords[language].need.more(format.count(more))]),
    ),
    cause: nowWords[language].need.simulatorCause,
    action: nowWords[language].need.simulatorAction,
    href: account === null ? "/senders" : senderRoutesHref(account, senders[0] ?? ""),
  }),
};

export function needText<Kind extends Attention["kind"]>(
  need: Extract<Attention, { kind: Kind }>,
  locale: Locale,
  role: Role,
): NeedText {
  const text: TextOf<Kind> = texts[need.kind];
  return openTo(text(need, locale), role);
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
    action: say.need.routesDownAction,
    href: "/routes",
  };
}

const moreAlike = (count: number, { language, format }: Locale): StaffText => ({
  state: "attention",
  sentence: nowWords[language].need.moreAlike(format.count(count)),
  cause: nowWords[language].need.moreAlikeCause,
  action: nowWords[language].need.look["/alerts"],
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
