/** What needs a look, as a sentence with its cause and the one way to mend it. */
import { type Role, roleMay } from "../../domain/roles.ts";
import type { Attention } from "../../operator/attention.ts";
import type { PillState } from "../components/pill.tsx";
import type { Locale } from "../locale.ts";
import { conditionTexts, noticeFailureSentence } from "./alert.ts";
import { routeTrouble } from "./reason.ts";

export interface NeedText {
  state: Extract<PillState, "down" | "failed" | "attention">;
  sentence: string;
  cause: string;
  action: string;
  /** Null where the reader may not open what mends it. */
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

/** Where a condition is mended; the others lead to the alerts. */
const places = {
  Damaged: "/system#backups",
  Held: "/system#queue",
  ClockAhead: "/system#clock",
  BooksAhead: "/system#clock",
  ReceiptsUnmatched: "/routes",
  BackupOld: "/system#backups",
  FrequentBackupOld: "/system#backups",
  BackupNotElsewhere: "/system#backups",
  CertificateEnds: "/system#certificate",
  DiskFull: "/system#disk",
} as const;

const isIn = <Name extends string>(names: Readonly<Record<Name, unknown>>, name: string): name is Name => name in names;

const texts: { readonly [Kind in Attention["kind"]]: TextOf<Kind> } = {
  condition: (need, locale) => {
    const { says, todo } = conditionTexts(need, locale);
    const { why, look } = locale.words.now.need;
    const place = isIn(places, need.code) ? places[need.code] : "/alerts";
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
    sentence: locale.words.now.need.routeDown(route, locale.format.minute(since)),
    cause: locale.words.now.need.routeDownCause(
      locale.format.count(waiting),
      reason === null ? cause : routeTrouble(reason, locale),
    ),
    action: locale.words.now.need.routeDownAction,
    href: `/routes/${encodeURIComponent(route)}`,
  }),
  callbacksFailing: ({ webhook, account, host, since, waiting, answer, attempt }, locale) => ({
    state: "failed",
    sentence: locale.words.now.need.callbacksFailing(account, host, locale.format.minute(since)),
    cause: locale.words.now.need.callbacksFailingCause(
      locale.format.count(waiting),
      attempt === null || locale.language === "en"
        ? (answer ?? locale.words.charts.unknown)
        : answerOf(attempt, locale),
    ),
    action: locale.words.now.need.callbacksFailingAction,
    href: `/callbacks/${encodeURIComponent(webhook)}/deliveries`,
  }),
  simulator: ({ senders, more }, { words: { now }, format }) => ({
    state: "attention",
    sentence: now.need.simulator(format.list(more === 0 ? senders : [...senders, now.need.more(format.count(more))])),
    cause: now.need.simulatorCause,
    action: now.need.simulatorAction,
    href: "/routes",
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

function openTo(found: StaffText, role: Role): NeedText {
  const isOpen = !/^\/(system|alerts)/.test(found.href) || roleMay(role, "system.read");
  return isOpen ? found : { ...found, href: null };
}

type RouteDown = Extract<Attention, { kind: "routeDown" }>;

/** Told one by one; of more than these, the others in one line, some of them by name. */
const toldMax = 3;
const routesDownNamedMax = 8;

function gatheredRoutes(routes: readonly RouteDown[], { words: { now }, format }: Locale): StaffText {
  const named = routes.slice(0, routesDownNamedMax).map(({ route }) => route);
  const more = routes.length - named.length;
  const names = format.list(more === 0 ? named : [...named, now.need.routesDownMore(format.count(more))]);
  const waiting = routes.reduce((sum, route) => sum + route.waiting, 0);
  return {
    state: "down",
    sentence: now.need.routesDown(format.count(routes.length), names),
    cause: now.need.routesDownCause(format.count(waiting)),
    action: now.need.routesDownAction,
    href: "/routes",
  };
}

const moreAlike = (count: number, { words: { now }, format }: Locale): StaffText => ({
  state: "attention",
  sentence: now.need.moreAlike(format.count(count)),
  cause: now.need.moreAlikeCause,
  action: now.need.look["/alerts"],
  href: "/alerts",
});

/** All of them; a line for each of hundreds of routes or accounts would hide the others. */
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
