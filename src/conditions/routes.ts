/** Conditions of routes and of the messages waiting for them. */
import {
  type ConditionFacts,
  type ConditionText,
  condition,
  minuteMs,
  routeLabel,
  type WatchedFacts,
} from "./condition.ts";

interface RouteValues {
  route: string;
}
/** `share`: from 0 to 1. */
interface ShareValues extends RouteValues {
  share: number;
}
interface WaitValues {
  waitedMs: number;
}

type Samples = Pick<WatchedFacts, "samples">;
const ofRoute = { isOfRoute: true, subject: ({ route }: RouteValues) => route } as const;
const rule = (expr: string) => ({ expr, values: routeLabel });

const refusalWindowMs = 10 * minuteMs;
/** Within ten minutes; a few wrong numbers are normal. */
const refusalsMin = 10;
const refusedShareMax = 0.2;
const throttledMax = 1;
const receiptWindowMs = 30 * minuteMs;
const acceptedMin = 0.1;
const orphanedMax = 0.5;
/** A receipt may arrive before the answer to its submit; after this time it belongs to no message. */
const unmatchedMsMin = minuteMs;

const late = (messageClass: string, secondsMax: number) =>
  ({
    limit: { kind: "duration", is: "over", value: secondsMax * 1_000 },
    find: ({ samples }: Samples): WaitValues[] =>
      samples
        .gauge("peyk_queue_oldest_seconds")
        .filter(({ value, labels }) => labels.class === messageClass && value > secondsMax)
        .map(({ value }) => ({ waitedMs: value * 1_000 })),
    rule: { expr: `peyk_queue_oldest_seconds{class="${messageClass}"} > ${secondsMax}`, values: { waitedMs: 0 } },
  }) as const;
const waits =
  (what: string): ConditionText<WaitValues>["says"] =>
  ({ waitedMs }, { duration }) =>
    `${what} has been waiting for ${duration(waitedMs)}`;
const persianWaits =
  (what: string): ConditionText<WaitValues>["says"] =>
  ({ waitedMs }, { duration }) =>
    `${what} ${duration(waitedMs)} است که در صف مانده است`;

export const routeConditions = {
  RouteDown: condition<RouteValues>()({
    severity: "page",
    holdMs: 3 * minuteMs,
    ...ofRoute,
    find: ({ routesDown }: Pick<ConditionFacts, "routesDown">) =>
      routesDown().flatMap(({ route, isNeeded }) => (isNeeded ? [{ route }] : [])),
    rule: rule("peyk_route_up == 0 unless on (route) peyk_route_used == 0"),
    check: "route",
    help: ["troubleshooting", "messages-stay-queued"],
    en: {
      name: "Route down",
      says: ({ route }) => `Route ${route} is down and its messages wait`,
      todo: ({ route }) => `peyk route test ${route}`,
    },
    fa: { name: "قطع مسیر", says: ({ route }, { name }) => `مسیر ${name(route)} قطع است و پیام‌هایش منتظر مانده‌اند` },
  }),
  ReceiptsUnmatched: condition<RouteValues & { count: number }>()({
    severity: "ticket",
    subject: ({ route }) => route,
    find: ({ receiptsUnmatched }: Pick<ConditionFacts, "receiptsUnmatched">) => receiptsUnmatched(unmatchedMsMin),
    rule: { noMetric: "ReceiptsOrphaned counts them" },
    notIn: { alert: "ReceiptsOrphaned alerts once they are many" },
    help: ["when-receipts-do-not-match"],
    en: {
      name: "Receipts match no message",
      says: ({ route }) => `Receipts of route ${route} match no message, so none is reported as delivered`,
      todo: ({ route }) => `peyk route receipts ${route}`,
    },
    fa: {
      name: "رسیدهای بی‌پیام",
      says: ({ route, count }, { name, number }) =>
        `${number(count)} رسید از مسیر ${name(route)} با هیچ پیامی جور نیست`,
    },
  }),
};

export const watchedRouteConditions = {
  OtpLate: condition<WaitValues>()({
    severity: "page",
    holdMs: minuteMs,
    ...late("otp", 15),
    help: ["troubleshooting", "messages-stay-queued"],
    en: { name: "One-time password waits", says: waits("A one-time password"), todo: () => "peyk status" },
    fa: { name: "ماندن رمز یک‌بارمصرف در صف", says: persianWaits("رمزی یک‌بارمصرف") },
  }),
  SingleLate: condition<WaitValues>()({
    severity: "page",
    holdMs: 2 * minuteMs,
    ...late("single", 60),
    help: ["troubleshooting", "messages-stay-queued"],
    en: { name: "Single message waits", says: waits("A single message"), todo: () => "peyk status" },
    fa: { name: "ماندن پیام تکی در صف", says: persianWaits("پیامی تکی") },
  }),
  BulkLate: condition<WaitValues>()({
    severity: "ticket",
    holdMs: 10 * minuteMs,
    ...late("bulk", 3_600),
    help: ["troubleshooting", "messages-stay-queued"],
    en: {
      name: "Bulk message waits",
      says: waits("A bulk message"),
      todo: () => "Compare the route's parts a second with what was sent: peyk route list",
    },
    fa: {
      name: "ماندن پیام انبوه در صف",
      says: persianWaits("پیامی انبوه"),
      todo: (_, { name }) => `سرعت مسیر را با آنچه فرستاده شد بسنجید: ${name("peyk route list")}`,
    },
  }),
  Refusals: condition<ShareValues>()({
    severity: "ticket",
    limit: { kind: "percent", is: "over", value: refusedShareMax },
    holdMs: 10 * minuteMs,
    windowMs: refusalWindowMs,
    ...ofRoute,
    find: ({ samples }: Samples) => {
      const all = samples.sums("peyk_submits_total", refusalWindowMs, "route");
      const rejected = samples.sums("peyk_submits_total", refusalWindowMs, "route", { outcome: "rejected" });
      return [...rejected].flatMap(([route, sum]) => {
        const share = sum / Math.max(all.get(route) ?? 0, 1);
        return sum >= refusalsMin && share > refusedShareMax ? [{ route, share }] : [];
      });
    },
    rule: {
      expr: `sum by (route) (rate(peyk_submits_total{outcome="rejected"}[10m]))
  / sum by (route) (rate(peyk_submits_total[10m])) > ${refusedShareMax}
  and on (route) sum by (route) (increase(peyk_submits_total{outcome="rejected"}[10m])) >= ${refusalsMin}`,
      values: { ...routeLabel, share: 0 },
    },
    help: ["troubleshooting", "messages-fail"],
    en: {
      name: "Route refuses messages",
      says: ({ route, share }, { percent }) => `Route ${route} refuses ${percent(share)} of its messages`,
      todo: ({ route }) => `peyk message search --status failed --route ${route}`,
    },
    fa: {
      name: "رد پیام‌ها در مسیر",
      says: ({ route, share }, { name, percent }) => `مسیر ${name(route)} ${percent(share)} از پیام‌هایش را رد می‌کند`,
    },
  }),
  Throttled: condition<RouteValues>()({
    severity: "ticket",
    limit: { kind: "perSecond", is: "over", value: throttledMax },
    holdMs: 10 * minuteMs,
    windowMs: 10 * minuteMs,
    ...ofRoute,
    find: ({ samples }: Samples) =>
      [...samples.sums("peyk_submits_total", 10 * minuteMs, "route", { outcome: "throttled" })].flatMap(
        ([route, sum]) => (sum / samples.seconds(10 * minuteMs) > throttledMax ? [{ route }] : []),
      ),
    rule: rule(`sum by (route) (rate(peyk_submits_total{outcome="throttled"}[10m])) > ${throttledMax}`),
    help: ["connect-your-smsc"],
    en: {
      name: "Route says “too fast”",
      says: ({ route }) => `Route ${route} says "too fast"`,
      todo: ({ route }) => `Lower partsPerSecond to what the contract allows: peyk route update ${route} --config FILE`,
    },
    fa: {
      name: "شکایت مسیر از تندی",
      says: ({ route }, { name }) => `اپراتورِ مسیر ${name(route)} می‌گوید پیام‌ها تندتر از اندازه می‌رسند`,
      todo: ({ route }, { name }) =>
        `${name("partsPerSecond")} را به اندازهٔ قرارداد کم کنید: ${name(`peyk route update ${route} --config FILE`)}`,
    },
  }),
  ReceiptsMissing: condition<RouteValues>()({
    severity: "ticket",
    limit: { kind: "perSecond", is: "over", value: acceptedMin },
    holdMs: 30 * minuteMs,
    windowMs: receiptWindowMs,
    ...ofRoute,
    find: ({ samples }: Samples) => {
      const applied = samples.sums("peyk_receipts_total", receiptWindowMs, "route", { effect: "applied" });
      const accepted = samples.sums("peyk_submits_total", receiptWindowMs, "route", { outcome: "accepted" });
      return [...accepted].flatMap(([route, sum]) =>
        sum / samples.seconds(receiptWindowMs) > acceptedMin && (applied.get(route) ?? 0) === 0 ? [{ route }] : [],
      );
    },
    rule: rule(`sum by (route) (rate(peyk_submits_total{outcome="accepted"}[30m])) > ${acceptedMin}
  unless on (route) sum by (route) (rate(peyk_receipts_total{effect="applied"}[30m])) > 0`),
    help: ["when-receipts-do-not-match"],
    en: {
      name: "Route sends no receipts",
      says: ({ route }) => `Route ${route} takes messages and sends no receipts`,
      todo: ({ route }) => `Does the bind ask for receipts, and do their ids match? peyk route receipts ${route}`,
    },
    fa: {
      name: "مسیر بی‌رسید",
      says: ({ route }, { name }) => `مسیر ${name(route)} پیام‌ها را می‌گیرد و رسیدی نمی‌فرستد`,
      todo: ({ route }, { name }) =>
        `آیا اتصال رسید می‌خواهد، و شناسه‌ها به هم می‌خورند؟ ${name(`peyk route receipts ${route}`)}`,
    },
  }),
  ReceiptsOrphaned: condition<RouteValues>()({
    severity: "ticket",
    limit: { kind: "perSecond", is: "over", value: orphanedMax },
    holdMs: 30 * minuteMs,
    windowMs: receiptWindowMs,
    ...ofRoute,
    find: ({ samples }: Samples) =>
      [...samples.sums("peyk_receipts_total", receiptWindowMs, "route", { effect: "orphaned" })].flatMap(
        ([route, sum]) => (sum / samples.seconds(receiptWindowMs) > orphanedMax ? [{ route }] : []),
      ),
    rule: rule(`sum by (route) (rate(peyk_receipts_total{effect="orphaned"}[30m])) > ${orphanedMax}`),
    help: ["when-receipts-do-not-match"],
    en: {
      name: "Receipts belong to no message",
      says: ({ route }) => `Receipts of route ${route} belong to no message`,
      todo: ({ route }) => `peyk route receipts ${route}`,
    },
    fa: { name: "رسیدهای بی‌صاحب", says: ({ route }, { name }) => `رسیدهای مسیر ${name(route)} به هیچ پیامی نمی‌خورند` },
  }),
};
