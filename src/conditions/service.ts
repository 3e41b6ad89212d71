/** Conditions of the service itself: its database, its clock, its speed, and the callbacks that it makes. */
import {
  type ConditionFacts,
  condition,
  gib,
  hourMs,
  mib,
  minuteMs,
  type WatchedFacts,
  type Writing,
} from "./condition.ts";
import type { WatchedCounter } from "./metric-samples.ts";

interface AheadValues {
  aheadMs: number;
}
interface BytesValues {
  bytes: number;
}
interface SlowValues {
  takenMs: number;
}
type Samples = Pick<WatchedFacts, "samples">;

/** Booked times run ahead of a correct clock by up to this much without a problem. */
const aheadMsMax = hourMs;
const slowWindowMs = 5 * minuteMs;
const slowSecondsMax = 0.25;
const walBytesMax = 512 * mib;
const freeBytesMin = 2 * gib;
/** An open bind accepts a receipt within seconds; this leaves a customer time to restart. */
const notTakenMsMax = 15 * minuteMs;
/** With less than this, the store will soon refuse to write. */
const freeBytesGrave = 256 * mib;
const callbackWindowMs = 15 * minuteMs;
/** Within a quarter of an hour; a single receiver restarting is normal. */
const failedCallbacksMin = 10;
const failedShareMax = 0.5;

/** One in a hundred takes longer than it should. */
const slow = (bucket: WatchedCounter) =>
  ({
    severity: "ticket",
    limit: { kind: "duration", is: "over", value: slowSecondsMax * 1_000 },
    holdMs: 10 * minuteMs,
    windowMs: slowWindowMs,
    find: ({ samples }: Samples): SlowValues[] => {
      const seconds = samples.quantile(bucket, slowWindowMs, 0.99) ?? 0;
      return seconds > slowSecondsMax ? [{ takenMs: Math.round(seconds * 1_000) }] : [];
    },
    rule: {
      expr: `histogram_quantile(0.99, sum by (le) (rate(${bucket}[5m]))) > ${slowSecondsMax}`,
      values: { takenMs: 0 },
    },
  }) as const;

/** A Prometheus rule does not know the name. */
const named = (credential: string, name: string) => (name === "" ? credential : `${credential} (${name})`);

const confirm = ({ name }: Writing) => name("peyk clock confirm");

type PortedProblem = NonNullable<ReturnType<ConditionFacts["portedProblem"]>>;

const portedProblems: Readonly<Record<"en" | "fa", Readonly<Record<PortedProblem, string>>>> = {
  en: {
    missing: "The file of ported numbers is missing: number ranges decide the network",
    damaged: "The file of ported numbers is another one than was imported: number ranges decide the network",
    unanswered: "The service that is asked for the networks of numbers gives no useful answers",
    budget: "The day's budget of number look-ups is spent",
    unusable: "The file for number look-ups cannot be used: it may have been sealed with another key",
  },
  fa: {
    missing: "پروندهٔ شماره‌های ترابردشده نیست: شبکه را پیش‌شماره تعیین می‌کند",
    damaged: "پروندهٔ شماره‌های ترابردشده همانی نیست که وارد شد: شبکه را پیش‌شماره تعیین می‌کند",
    unanswered: "سرویسی که شبکهٔ شماره‌ها از آن پرسیده می‌شود پاسخ به‌دردبخوری نمی‌دهد",
    budget: "سهم امروز پرسش از شبکهٔ شماره‌ها تمام شده است",
    unusable: "پروندهٔ پرسش از شبکهٔ شماره‌ها به کار نمی‌آید؛ شاید با کلید دیگری مهر شده است",
  },
};

export const serviceConditions = {
  Damaged: condition<{ reason: string; copy: string | null }>()({
    severity: "page",
    find: ({ damage }: Pick<ConditionFacts, "damage">) => [damage() ?? []].flat(),
    rule: { expr: "peyk_database_damaged > 0", values: { reason: "see peyk status", copy: null } },
    help: ["troubleshooting", "the-database-is-damaged"],
    en: {
      name: "Database damaged",
      says: ({ reason }) => `The database is damaged: ${reason}`,
      todo: ({ copy }) =>
        copy === null
          ? "No copy is known to be whole yet: journalctl -u peyk | grep copy"
          : `systemctl stop peyk && peyk backup restore ${copy}`,
    },
    fa: {
      name: "خرابی پایگاه داده",
      says: ({ reason }, { name }) => `پایگاه داده خراب است: ${name(reason)}`,
      todo: ({ copy }, { name }) =>
        copy === null
          ? `هنوز نسخه‌ای سالم شناخته نشده است: ${name("journalctl -u peyk | grep copy")}`
          : name(`systemctl stop peyk && peyk backup restore ${copy}`),
    },
  }),
  Held: condition<{ since: number }>()({
    severity: "page",
    // Whoever restored the copy is already looking at what waits.
    holdMs: 15 * minuteMs,
    find: ({ heldSince }: Pick<ConditionFacts, "heldSince">) => [heldSince() ?? []].flat().map((since) => ({ since })),
    rule: { expr: "peyk_queue_held_since_timestamp_seconds > 0", values: { since: 0 } },
    help: ["backup-and-restore", "restore"],
    en: {
      name: "Queue held after a restore",
      says: ({ since }, { moment }) => `Nothing is sent: a copy was restored at ${moment(since)}`,
      todo: () =>
        "What waits may have been sent since the copy was made; look: peyk message search --status queued; then: peyk queue release",
    },
    fa: {
      name: "نگه‌داشتن صف پس از بازگردانی",
      says: ({ since }, { moment }) => `هیچ پیامی فرستاده نمی‌شود: نسخه‌ای از ${moment(since)} بازگردانده شده است`,
      todo: (_, { name }) =>
        `آنچه در انتظار است شاید پس از ساخت نسخه فرستاده شده باشد؛ ببینید: ${name("peyk message search --status queued")}؛ سپس: ${name("peyk queue release")}`,
    },
  }),
  ClockAhead: condition<AheadValues>()({
    severity: "ticket",
    // A time service confirms the clock within minutes of a start after a pause.
    holdMs: 10 * minuteMs,
    find: ({ clockAheadMs }: Pick<ConditionFacts, "clockAheadMs">) =>
      [clockAheadMs() ?? []].flat().map((aheadMs) => ({ aheadMs })),
    rule: { expr: "peyk_clock_ahead_seconds > 0", values: { aheadMs: 0 } },
    help: ["troubleshooting", "the-clock-jumped-ahead"],
    en: {
      name: "Clock jumped ahead",
      says: ({ aheadMs }, { duration }) =>
        `The clock jumped ahead by ${duration(aheadMs)}: nothing expires or is deleted, and no day or month of quotas and statements begins, until a time service agrees or a day has passed`,
      todo: (_, write) => `If the time is right: ${confirm(write)}`,
    },
    fa: {
      name: "جلو پریدن ساعت",
      says: ({ aheadMs }, { duration }) =>
        `ساعت دستگاه ${duration(aheadMs)} جلو پرید: تا تأیید آن مهلت چیزی تمام نمی‌شود، چیزی پاک نمی‌شود و روز یا ماه تازه‌ای برای سهمیه‌ها و صورت‌حساب‌ها آغاز نمی‌شود`,
      todo: (_, write) => `اگر ساعت درست است: ${confirm(write)}`,
    },
  }),
  BooksAhead: condition<AheadValues>()({
    severity: "ticket",
    limit: { kind: "duration", is: "over", value: aheadMsMax },
    find: ({ booksAheadMs }: Pick<ConditionFacts, "booksAheadMs">) =>
      booksAheadMs() > aheadMsMax ? [{ aheadMs: booksAheadMs() }] : [],
    rule: { expr: `peyk_books_ahead_seconds > ${aheadMsMax / 1_000}`, values: { aheadMs: 0 } },
    help: ["troubleshooting", "the-books-are-ahead-of-the-clock"],
    en: {
      name: "Books ahead of the clock",
      says: ({ aheadMs }, { duration }) =>
        `The books are ahead of the clock by ${duration(aheadMs)}, since it was wrong: quotas and statements stay in the day and month that were reached until it comes round`,
      todo: (_, write) => `To book by the clock as it is: ${confirm(write)}`,
    },
    fa: {
      name: "جلو بودن حساب‌ها از ساعت",
      says: ({ aheadMs }, { duration }) =>
        `ساعت دستگاه نادرست بود و مبلغ‌ها و سهمیه‌ها ${duration(aheadMs)} جلوتر از ساعت کنونی ثبت شده‌اند؛ تا ساعت به آن زمان نرسد، در همان روز و ماه می‌مانند`,
      todo: (_, write) => `برای ثبت با ساعت کنونی: ${confirm(write)}`,
    },
  }),
  DiskFull: condition<BytesValues>()({
    severity: "page",
    limit: { kind: "bytes", is: "under", value: freeBytesMin },
    holdMs: 5 * minuteMs,
    check: "disk",
    isGrave: ({ bytes }) => bytes < freeBytesGrave,
    find: ({ freeBytes }: Pick<ConditionFacts, "freeBytes">) => {
      const bytes = freeBytes();
      return bytes < freeBytesMin ? [{ bytes }] : [];
    },
    rule: { expr: `peyk_disk_free_bytes < ${freeBytesMin}`, values: { bytes: 0 } },
    help: ["troubleshooting", "the-disk-is-full"],
    en: {
      name: "Little disk space",
      says: ({ bytes }, write) => `Only ${write.bytes(bytes)} are free for the data folder`,
      todo: () => 'See "The disk is full" in troubleshooting.md',
    },
    fa: {
      name: "کمبود جای دیسک",
      says: ({ bytes }, write) => `برای پوشهٔ داده‌ها تنها ${write.bytes(bytes)} جا مانده است`,
      todo: (_, { name }) => `بخش ${name("The disk is full")} را در ${name("troubleshooting.md")} ببینید`,
    },
  }),
  WalGrows: condition<BytesValues>()({
    severity: "ticket",
    limit: { kind: "bytes", is: "over", value: walBytesMax },
    holdMs: 15 * minuteMs,
    check: "wal",
    find: ({ walBytes }: Pick<ConditionFacts, "walBytes">) => {
      const bytes = walBytes();
      return bytes > walBytesMax ? [{ bytes }] : [];
    },
    rule: { expr: `peyk_wal_bytes > ${walBytesMax}`, values: { bytes: 0 } },
    help: ["troubleshooting", "everything-is-slow"],
    en: {
      name: "Write-ahead log grows",
      says: ({ bytes }, write) => `The write-ahead log has ${write.bytes(bytes)}`,
      todo: () => "Another process keeps the database open for reading: lsof /var/lib/peyk/peyk.db",
    },
    fa: {
      name: "بزرگ شدن دفتر تغییرات",
      says: ({ bytes }, write) => `دفتر تغییرات پایگاه داده به ${write.bytes(bytes)} رسیده است`,
      todo: (_, { name }) =>
        `برنامهٔ دیگری پایگاه داده را برای خواندن باز نگه داشته است: ${name("lsof /var/lib/peyk/peyk.db")}`,
    },
  }),
  PortedNumbersUnusable: condition<{ problem: PortedProblem }>()({
    severity: "page",
    find: ({ portedProblem }: Pick<ConditionFacts, "portedProblem">) =>
      [portedProblem() ?? []].flat().map((problem) => ({ problem })),
    rule: { noMetric: "it is found when a file or an answer is read, and told by an alert" },
    help: ["ported-numbers", "what-can-go-wrong"],
    en: {
      name: "Ported numbers are not known",
      says: ({ problem }) => portedProblems.en[problem],
      todo: () => "peyk ported show",
    },
    fa: { name: "شماره‌های ترابردشده شناخته نیستند", says: ({ problem }) => portedProblems.fa[problem] },
  }),
  WebhookSwitchedOff: condition<{ count: number }>()({
    severity: "ticket",
    find: ({ webhooksSwitchedOff }: Pick<ConditionFacts, "webhooksSwitchedOff">) => {
      const count = webhooksSwitchedOff();
      return count > 0 ? [{ count }] : [];
    },
    rule: { expr: "peyk_webhooks_switched_off > 0", values: { count: 0 } },
    notIn: {
      status: "it names each webhook",
      doctor: "it tells what status tells",
      now: "each webhook that fails has a line of its own",
    },
    help: ["troubleshooting", "callbacks-do-not-come"],
    en: {
      name: "Webhook switched off",
      says: ({ count }, { number }) =>
        `Webhooks that were switched off, every callback having failed for five days: ${number(count)}`,
      todo: () => "peyk webhook list; tell the customer, who switches it on again by the API",
    },
    fa: {
      name: "خاموش شدن وب‌هوک",
      says: ({ count }, { number }) => `${number(count)} وب‌هوک پس از پنج روز ناکامیِ پیوسته خاموش شده است`,
      todo: (_, { name }) => `${name("peyk webhook list")}؛ مشتری را خبر کنید تا دوباره روشنش کند`,
    },
  }),
  DeliveriesNotTaken: condition<{ credential: string; name: string; ageMs: number }>()({
    severity: "ticket",
    limit: { kind: "duration", is: "over", value: notTakenMsMax },
    subject: ({ credential }) => credential,
    find: ({ notTaken, now }: Pick<ConditionFacts, "notTaken" | "now">) =>
      notTaken().flatMap(({ oldestAt, ...whose }) =>
        now - oldestAt > notTakenMsMax ? [{ ...whose, ageMs: now - oldestAt }] : [],
      ),
    rule: {
      expr: `peyk_smpp_server_oldest_waiting_seconds > ${notTakenMsMax / 1_000}`,
      values: { credential: "{{ $labels.credential }}", name: "", ageMs: 0 },
    },
    help: ["smpp-server", "receipts-and-texts-from-phones"],
    en: {
      name: "Receipts not taken by a customer",
      says: ({ credential, name, ageMs }, { duration }) =>
        `No bind of ${named(credential, name)} has acknowledged its receipts and texts: the oldest has been waiting for ${duration(ageMs)}`,
      todo: ({ credential }) =>
        `peyk credential show ${credential}; tell the customer to bind as a receiver or transceiver`,
    },
    fa: {
      name: "رسیدهای نگرفتهٔ مشتری",
      says: ({ credential, name: systemId, ageMs }, { name, duration }) =>
        `هیچ اتصالی از ${name(named(credential, systemId))} رسیدها و پیامک‌های خود را تأیید نکرده است: کهنه‌ترینشان ${duration(ageMs)} است که منتظر مانده`,
      todo: ({ credential }, { name }) =>
        `${name(`peyk credential show ${credential}`)}؛ به مشتری بگویید به صورت گیرنده یا دوسویه وصل شود`,
    },
  }),
  PasswordsGuessed: condition<ReturnType<ConditionFacts["guesses"]>[number]>()({
    severity: "ticket",
    subject: ({ of }) => of,
    find: ({ guesses }: Pick<ConditionFacts, "guesses">) => guesses(),
    rule: { noMetric: "no metric counts by credential or network" },
    help: ["drop-in", "give-a-program-its-credential"],
    en: {
      name: "Passwords guessed",
      says: ({ of, isNetwork, since, guesses, others }, { moment, number }) =>
        isNetwork
          ? `${number(guesses)} wrong passwords came from ${of} since ${moment(since)}, for ${number(others)} ${others === 1 ? "known credential" : "known credentials"}`
          : `${number(guesses)} wrong passwords came for ${of} since ${moment(since)}, from ${number(others)} ${others === 1 ? "network" : "networks"}`,
      todo: () =>
        "Nobody is locked out. Limit the key's addresses (peyk key update --allow-from), or correct the program that has an old password",
    },
    fa: {
      name: "حدس زدن گذرواژه‌ها",
      says: ({ of, isNetwork, since, guesses, others }, { name, moment, number }) =>
        isNetwork
          ? `از ${moment(since)} تاکنون ${number(guesses)} گذرواژهٔ نادرست از ${name(of)} رسیده است، برای ${number(others)} شناسهٔ ورود`
          : `از ${moment(since)} تاکنون ${number(guesses)} گذرواژهٔ نادرست برای ${name(of)} رسیده است، از ${number(others)} شبکه`,
      todo: (_, { name }) =>
        `دسترسی کسی بسته نمی‌شود. نشانی‌های مجاز کلید را محدود کنید (${name("peyk key update --allow-from")})، یا برنامه‌ای را که گذرواژهٔ کهنه دارد درست کنید`,
    },
  }),
};

export const watchedServiceConditions = {
  CannotStore: condition<object>()({
    severity: "page",
    windowMs: slowWindowMs,
    find: ({ samples }: Samples) =>
      samples.increases("peyk_commit_failures_total", slowWindowMs).some(({ value }) => value > 0) ? [{}] : [],
    rule: { expr: "increase(peyk_commit_failures_total[5m]) > 0", values: {} },
    help: ["troubleshooting", "the-disk-is-full"],
    en: {
      name: "Commits fail",
      says: () => "Transactions were rolled back; requests were answered with 503",
      todo: () => "df -h; dmesg | tail; journalctl -u peyk",
    },
    fa: { name: "ناکامی در نوشتن", says: () => "نوشتن روی دیسک ناکام ماند؛ درخواست‌ها پاسخ ۵۰۳ گرفتند" },
  }),
  CommitsSlow: condition<SlowValues>()({
    ...slow("peyk_commit_seconds_bucket"),
    help: ["troubleshooting", "everything-is-slow"],
    en: {
      name: "Commits are slow",
      says: ({ takenMs }, { duration }) => `One commit in a hundred takes longer than ${duration(takenMs)}`,
      todo: () => "peyk doctor shows the time of an fsync",
    },
    fa: {
      name: "کندی نوشتن",
      says: ({ takenMs }, { duration }) => `از هر صد نوشتن روی دیسک، یکی بیش از ${duration(takenMs)} می‌کشد`,
      todo: (_, { name }) => `زمان نوشتن روی دیسک را ببینید: ${name("peyk doctor")}`,
    },
  }),
  EventLoopSlow: condition<SlowValues>()({
    ...slow("peyk_event_loop_delay_seconds_bucket"),
    help: ["troubleshooting", "everything-is-slow"],
    en: {
      name: "Event loop is late",
      says: ({ takenMs }, { duration }) => `The event loop comes late by ${duration(takenMs)}`,
      todo: () => "Is the machine short of processor time? top; peyk doctor",
    },
    fa: {
      name: "دیر رسیدن سرویس به کارها",
      says: ({ takenMs }, { duration }) => `سرویس ${duration(takenMs)} دیرتر از وقت به کارهایش می‌رسد`,
      todo: (_, { name }) => `آیا پردازندهٔ دستگاه پر است؟ ${name("top; peyk doctor")}`,
    },
  }),
  CallbacksFail: condition<{ share: number }>()({
    severity: "ticket",
    limit: { kind: "percent", is: "over", value: failedShareMax },
    holdMs: 15 * minuteMs,
    windowMs: callbackWindowMs,
    find: ({ samples }: Samples) => {
      const attempts = samples.sums("peyk_callback_attempts_total", callbackWindowMs, "outcome");
      const all = [...attempts.values()].reduce((sum, value) => sum + value, 0);
      const failed = all - (attempts.get("delivered") ?? 0);
      const share = failed / Math.max(all, 1);
      return failed >= failedCallbacksMin && share > failedShareMax ? [{ share }] : [];
    },
    rule: {
      expr: `sum(rate(peyk_callback_attempts_total{outcome!="delivered"}[15m]))
  / sum(rate(peyk_callback_attempts_total[15m])) > ${failedShareMax}
  and sum(increase(peyk_callback_attempts_total{outcome!="delivered"}[15m])) >= ${failedCallbacksMin}`,
      values: { share: 0 },
    },
    help: ["troubleshooting", "callbacks-do-not-come"],
    en: {
      name: "Callbacks fail",
      says: ({ share }, { percent }) => `${percent(share)} of callback attempts fail`,
      todo: () => "peyk webhook list",
    },
    fa: {
      name: "ناکامی فراخوانی‌ها",
      says: ({ share }, { percent }) => `${percent(share)} از تلاش‌های وب‌هوک‌ها ناکام می‌ماند`,
    },
  }),
};
