/** Persian: what the running service finds about itself, mirroring the English table. */
import type { FindingTexts, FindingValues, FindingWriting } from "../../domain/service-finding.ts";
import { isolate } from "../isolate.ts";

const listed = (words: readonly string[]) => words.map(isolate).join("، ");
const disk = ({ freeBytes, totalBytes }: FindingValues["disk_free"], { bytes }: FindingWriting) =>
  `${bytes(freeBytes)} از ${bytes(totalBytes)} خالی است`;
const freeSpace = () =>
  `جا باز کنید، پیام‌ها را کمتر نگه دارید (${isolate("messages.retention_days")}) یا شمار نسخه‌ها را کم کنید (${isolate("backup.nightly_keep")})`;
const certificate = ({ names, endsAt }: FindingValues["certificate_good"], { date }: FindingWriting) =>
  `${isolate(names)}، تا ${date(endsAt)}`;
const renew = () => `آن را نو کنید، سپس: ${isolate("systemctl reload peyk")}`;
const nightly = ({ copies, hours }: FindingValues["nightly_fresh"], { number }: FindingWriting) =>
  `${number(copies)} نسخهٔ شبانه، تازه‌ترین از ${number(hours)} ساعت پیش`;
const frequent = ({ minutes, elsewhereMinutes }: FindingValues["frequent_fresh"], { number }: FindingWriting) =>
  `تازه‌ترین نسخه از ${number(minutes)} دقیقه پیش است، ${elsewhereMinutes === null ? "نسخه‌ای در جای دیگر نیست" : `تازه‌ترین در جای دیگر از ${number(elsewhereMinutes)} دقیقه پیش`}`;
const inLog = (words: string) => `در لاگ بجویید: ${isolate(`journalctl -u peyk | grep "${words}"`)}`;
const channelNames = { webhook: "وب‌هوک", mail: "ایمیل", sms: "پیامک" } as const;

export const persianFindings: FindingTexts = {
  disk_free: { says: disk, do: null },
  disk_low: { says: disk, do: freeSpace },
  disk_full: { says: (values, write) => `${disk(values, write)}: به‌زودی چیزی پذیرفته نمی‌شود`, do: freeSpace },
  wal_small: { says: ({ bytes }, write) => write.bytes(bytes), do: null },
  wal_held: {
    says: ({ bytes }, write) => `${write.bytes(bytes)}: برنامهٔ دیگری پایگاه داده را برای خواندن باز نگه داشته است`,
    do: () => `پوستهٔ پایگاه یا پشتیبان‌گیریِ مانده را بیابید و پایان دهید: ${isolate("lsof peyk.db")}`,
  },
  tls_off: {
    says: () =>
      `${isolate("API")} عمومی بدون رمزنگاری پاسخ می‌دهد؛ واسطی با ${isolate("TLS")} جلوی آن بگذارید، یا ${isolate("tls.cert_file")} را تنظیم کنید`,
    do: null,
  },
  certificate_good: { says: certificate, do: null },
  certificate_ends: {
    says: (values, write) => `${certificate(values, write)}: ${write.number(values.days)} روز مانده است`,
    do: renew,
  },
  certificate_expired: { says: (values, write) => `${certificate(values, write)}: گذشته است`, do: renew },
  certificate_not_yet: {
    says: (values, write) => `${certificate(values, write)}، ولی نه پیش از ${write.date(values.beginsAt)}`,
    do: () => "ساعت دستگاه را بررسی کنید، یا صبر کنید",
  },
  certificate_unusable: {
    says: ({ words }) => `فایل‌های گواهی به کار نمی‌آید: ${isolate(words)}`,
    do: () => "فایل‌ها را درست کنید؛ تا آن هنگام سرویس با آن‌ها آغاز به کار نمی‌کند و بازخوانی گواهی پیشین را نگه می‌دارد",
  },
  fraud_limited: {
    says: ({ countries, isGuarded }) =>
      `پیام‌ها به ${countries.length === 0 ? "همهٔ کشورها" : listed(countries)} می‌روند؛ نگهبان رمزهای یک‌بارمصرف ${isGuarded ? "روشن" : "خاموش"} است`,
    do: null,
  },
  fraud_open: {
    says: () =>
      "پیام‌ها به همهٔ کشورها می‌روند و نگهبان رمزهای یک‌بارمصرف خاموش است: با کلیدی ربوده‌شده می‌توان بی‌اندازه فرستاد",
    do: () =>
      `${isolate('sending.countries = ["IR"]')} یا ${isolate("otp.fraud_guard = true")}؛ برای یک حساب: ${isolate("peyk account update ID --countries IR")}`,
  },
  drop_in_plain: {
    says: ({ address }) =>
      `برنامه‌های دیگر در ${isolate(address)} (${isolate("drop_in.listen")}) بدون ${isolate("TLS")} پذیرفته می‌شوند: گذرواژه‌ها بی‌رمز از شبکه می‌گذرند`,
    do: () =>
      `${isolate("tls.cert_file")} و ${isolate("tls.key_file")} را تنظیم کنید، یا ${isolate("drop_in.listen")} را فقط روی همین ماشین، پشت پراکسیِ دارای ${isolate("TLS")}`,
  },
  alerts_told: {
    says: ({ channels }) =>
      `متصدیان با ${channels.map((one) => channelNames[one]).join("، ")} خبردار می‌شوند؛ بیازمایید: ${isolate("peyk alert test")}`,
    do: null,
  },
  alerts_untold: {
    says: () => "اگر چیزی خراب شود کسی خبردار نمی‌شود",
    do: () =>
      `در بخش ${isolate("[alerts]")} ایمیل، وب‌هوک یا تلفنی نام ببرید؛ یا دیدبانی را به ${isolate("Prometheus")} بسپارید: ${isolate("docs/alerts.md")}`,
  },
  nightly_off: { says: () => `نسخه‌های شبانه خاموش است (${isolate("backup.nightly_keep = 0")})`, do: null },
  nightly_none: {
    says: () => "هنوز نسخهٔ شبانه‌ای نیست",
    do: ({ file }) => `نخستین نسخه ساعت ۰۳:۱۷ ساخته می‌شود؛ همین حالا: ${isolate(`peyk backup create ${file}`)}`,
  },
  nightly_fresh: {
    says: (values, write) => `${nightly(values, write)}؛ چندتایی را روی دستگاه دیگری نگه دارید`,
    do: null,
  },
  nightly_old: { says: nightly, do: () => inLog("the nightly backup failed") },
  frequent_off: { says: () => `نسخهٔ چنددقیقه‌ای ساخته نمی‌شود (${isolate("backup.every_minutes = 0")})`, do: null },
  frequent_none: {
    says: () => "هنوز نسخه‌ای نیست",
    do: () => "سرویس را به کار بیندازید؛ نخستین نسخه بی‌درنگ ساخته می‌شود",
  },
  frequent_fresh: { says: frequent, do: null },
  frequent_old: { says: frequent, do: () => inLog("the frequent backup failed") },
  frequent_not_shipped: {
    says: (values, write) => `${frequent(values, write)}: ${isolate(values.words)}`,
    do: () => isolate("journalctl -u peyk-ship-backup"),
  },
};
