/** Persian: what is wrong and what to do, as the English tables of the alerts say it. */
import type { AlertCode, AlertTexts, AlertValues, AlertWriting } from "../../../domain/alert-text.ts";
import { isolate } from "../isolate.ts";

const late =
  (what: string) =>
  ({ waitedMs }: AlertValues["OtpLate"], { time }: AlertWriting) =>
    `${what} ${time(waitedMs)} است که در صف مانده است`;

const old =
  (what: string) =>
  ({ ageMs }: AlertValues["BackupOld"], { time }: AlertWriting) =>
    ageMs === null ? `${what} هنوز ساخته نشده است` : `${what} از ${time(ageMs)} پیش است`;

const periods: Readonly<Record<string, string>> = { day: "روز", month: "ماه" };

export const persianAlerts: AlertTexts = {
  RouteDown: ({ route }) => `مسیر ${isolate(route)} قطع است و پیام‌هایش منتظر مانده‌اند`,
  Refusals: ({ route, share }, { percent }) => `مسیر ${isolate(route)} ${percent(share)} از پیام‌هایش را رد می‌کند`,
  Throttled: ({ route }) => `اپراتورِ مسیر ${isolate(route)} می‌گوید پیام‌ها تندتر از اندازه می‌رسند`,
  ReceiptsMissing: ({ route }) => `مسیر ${isolate(route)} پیام‌ها را می‌گیرد و رسیدی نمی‌فرستد`,
  ReceiptsOrphaned: ({ route }) => `رسیدهای مسیر ${isolate(route)} به هیچ پیامی نمی‌خورند`,
  OtpLate: late("رمزی یک‌بارمصرف"),
  SingleLate: late("پیامی تکی"),
  BulkLate: late("پیامی انبوه"),
  CannotStore: () => "نوشتن روی دیسک ناکام ماند؛ درخواست‌ها پاسخ ۵۰۳ گرفتند",
  CommitsSlow: ({ takenMs }, { time }) => `از هر صد نوشتن روی دیسک، یکی بیش از ${time(takenMs)} می‌کشد`,
  EventLoopSlow: ({ takenMs }, { time }) => `سرویس ${time(takenMs)} دیرتر از وقت به کارهایش می‌رسد`,
  WalGrows: ({ bytes }, write) => `دفتر تغییرات پایگاه داده به ${write.bytes(bytes)} رسیده است`,
  DiskFull: ({ bytes }, write) => `برای پوشهٔ داده‌ها تنها ${write.bytes(bytes)} جا مانده است`,
  CallbacksFail: ({ share }, { percent }) => `${percent(share)} از تلاش‌های وب‌هوک‌ها ناکام می‌ماند`,
  WebhookSwitchedOff: ({ count }, { number }) => `${number(count)} وب‌هوک پس از پنج روز ناکامیِ پیوسته خاموش شده است`,
  BackupOld: old("تازه‌ترین نسخهٔ شبانه"),
  FrequentBackupOld: old("تازه‌ترین نسخهٔ چنددقیقه‌ای"),
  BackupNotElsewhere: old("تازه‌ترین نسخه روی دستگاه دیگر"),
  CertificateEnds: ({ leftMs }, { time }) =>
    leftMs < 0 ? "اعتبار گواهی به سر آمده است" : `اعتبار گواهی ${time(leftMs)} دیگر به سر می‌آید`,
  QuotaNearlyUsed: ({ of, period, partsUsed, partsMax }, { number }) =>
    `سهمیهٔ ${isolate(of)} رو به پایان است: ${number(partsUsed)} از ${number(partsMax)} بخشِ این ${periods[period] ?? isolate(period)}`,
  BalanceLow: ({ account, name, isEmpty }) =>
    `${isolate(`${name} (${account})`)} ${isEmpty ? "دیگر موجودی ندارد" : "کمتر از خرج یک روزش موجودی دارد"}`,
  DeliveryRateFell: ({ route, share, shareBefore }, { percent }) =>
    `مسیر ${isolate(route)} ${percent(share)} از پیام‌هایش را می‌رساند؛ هفتهٔ پیش از آن ${percent(shareBefore)}`,
  TrafficJumped: ({ account, name, messages, highest }, { number }) =>
    `حساب ${isolate(`${account} (${name})`)} در یک ساعت ${number(messages)} پیام فرستاد؛ پرکارترین ساعتِ هفتهٔ پیش از آن ${number(highest)} پیام داشت`,
};

/** What to do where a command alone does not say it. */
export const persianTodos: Readonly<
  Partial<Record<AlertCode, (values: { route?: string; account?: string }) => string>>
> = {
  Throttled: ({ route }) =>
    `${isolate("partsPerSecond")} را به اندازهٔ قرارداد کم کنید: ${isolate(`peyk route update ${route} --config FILE`)}`,
  ReceiptsMissing: ({ route }) =>
    `آیا اتصال رسید می‌خواهد، و شناسه‌ها به هم می‌خورند؟ ${isolate(`peyk route receipts ${route}`)}`,
  BulkLate: () => `سرعت مسیر را با آنچه فرستاده شد بسنجید: ${isolate("peyk route list")}`,
  CommitsSlow: () => `زمان نوشتن روی دیسک را ببینید: ${isolate("peyk doctor")}`,
  EventLoopSlow: () => `آیا پردازندهٔ دستگاه پر است؟ ${isolate("top; peyk doctor")}`,
  WalGrows: () => `برنامهٔ دیگری پایگاه داده را برای خواندن باز نگه داشته است: ${isolate("lsof /var/lib/peyk/peyk.db")}`,
  DiskFull: () => `بخش ${isolate("The disk is full")} را در ${isolate("troubleshooting.md")} ببینید`,
  WebhookSwitchedOff: () => `${isolate("peyk webhook list")}؛ مشتری را خبر کنید تا دوباره روشنش کند`,
  CertificateEnds: () => `آن را نو کنید، سپس: ${isolate("systemctl reload peyk")}`,
  TrafficJumped: ({ account }) =>
    `${isolate(`peyk message search --account ${account}`)}؛ اگر کار خودش نیست: ${isolate(`peyk account suspend ${account}`)}`,
};
