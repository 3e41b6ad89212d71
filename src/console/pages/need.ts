/** What needs a look, as a sentence with its cause and the one way to mend it. */
import { type Role, roleMay } from "../../domain/roles.ts";
import type { Attention } from "../../operator/attention.ts";
import type { PillState } from "../components/pill.tsx";
import type { Locale } from "../locale.ts";
import { noticeFailureSentence } from "./alert.ts";
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

const texts: { readonly [Kind in Attention["kind"]]: TextOf<Kind> } = {
  damaged: ({ reason, copy }, { words: { now } }) => ({
    state: "failed",
    sentence: now.need.damaged(reason),
    cause: copy === null ? now.need.damagedNoCopy : now.need.damagedCause(copy),
    action: now.need.damagedAction,
    href: "/system#backups",
  }),
  held: ({ since }, { words: { now }, format }) => ({
    state: "attention",
    sentence: now.need.held(format.minute(since)),
    cause: now.need.heldCause,
    action: now.need.heldAction,
    href: "/system#queue",
  }),
  clock: ({ aheadMs }, { words: { now }, format }) => ({
    state: "attention",
    sentence: now.need.clock(format.duration(aheadMs)),
    cause: now.need.clockCause,
    action: now.need.clockAction,
    href: "/system#clock",
  }),
  booksAhead: ({ aheadMs }, { words: { now }, format }) => ({
    state: "attention",
    sentence: now.need.booksAhead(format.duration(aheadMs)),
    cause: now.need.booksAheadCause,
    action: now.need.clockAction,
    href: "/system#clock",
  }),
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
  receiptsUnmatched: ({ route, count }, { words: { now }, format }) => ({
    state: "attention",
    sentence: now.need.receiptsUnmatched(format.count(count), route),
    cause: now.need.receiptsUnmatchedCause,
    action: now.need.receiptsUnmatchedAction,
    href: `/routes/${encodeURIComponent(route)}#unmatched`,
  }),
  simulator: ({ senders, more }, { words: { now }, format }) => ({
    state: "attention",
    sentence: now.need.simulator(format.list(more === 0 ? senders : [...senders, now.need.more(format.count(more))])),
    cause: now.need.simulatorCause,
    action: now.need.simulatorAction,
    href: "/routes",
  }),
  backupOld: ({ at }, { words: { now }, format }) => ({
    state: "attention",
    sentence: now.need.backupOld(format.duration(format.now - at)),
    cause: now.need.backupOldCause,
    action: now.need.backupOldAction,
    href: "/system#backups",
  }),
  certificate: ({ endsAt }, { words: { now }, format }) => ({
    state: "attention",
    sentence: now.need.certificate(format.duration(endsAt - format.now)),
    cause: now.need.certificateCause,
    action: now.need.certificateAction,
    href: "/system#certificate",
  }),
  disk: ({ freeBytes }, { words: { now }, format }) => ({
    state: "attention",
    sentence: now.need.disk(format.bytes(freeBytes)),
    cause: now.need.diskCause,
    action: now.need.diskAction,
    href: "/system#disk",
  }),
};

export function needText<Kind extends Attention["kind"]>(
  need: Extract<Attention, { kind: Kind }>,
  locale: Locale,
  role: Role,
): NeedText {
  const text: TextOf<Kind> = texts[need.kind];
  const found = text(need, locale);
  const isOpen = !found.href.startsWith("/system") || roleMay(role, "system.read");
  return isOpen ? found : { ...found, href: null };
}

type RouteDown = Extract<Attention, { kind: "routeDown" }>;

/** Told one by one; of more than these, the others in one line, some of them by name. */
const routesDownToldMax = 3;
const routesDownNamedMax = 8;

function gatheredRoutes(routes: readonly RouteDown[], { words: { now }, format }: Locale): NeedText {
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

/** All of them; a line for each of hundreds of routes would hide the others. */
export function needTexts(needs: readonly Attention[], locale: Locale, role: Role): NeedText[] {
  const isDown = (need: Attention): need is RouteDown => need.kind === "routeDown";
  const gathered = needs.filter(isDown).slice(routesDownToldMax);
  const isGathered = new Set<Attention>(gathered.length > 1 ? gathered : []);
  return needs.flatMap((need) => {
    if (!isGathered.has(need)) return [needText(need, locale, role)];
    return need === gathered[0] ? [gatheredRoutes(gathered, locale)] : [];
  });
}
