/** Labels and hints of declared fields, and the names of their choices, in both languages. */
import { accountFields } from "../../fields/account.ts";
import { labelsOf } from "../../fields/field.ts";
import { keyFields } from "../../fields/key.ts";
import type { Count } from "../format/format.ts";
import { bothLanguages } from "./both-languages.ts";

export const fieldWords = bothLanguages({
  en: {
    fields: { key: labelsOf(keyFields), account: labelsOf(accountFields) },
    limitSetBy: { provider: "Limit set by your provider", operator: "Limit set by an operator" },
    noValue: {
      asSettings: (value: string) => `${value}, the default`,
      ifEmpty: "Empty: the default,",
      bySettings: "by default",
      others: ({ text, value }: Count) => (value === 1 ? "One other" : `${text} others`),
      withMessages: "as long as the messages",
      everyCountry: "every country",
      none: "none",
    },
    choices: {
      yes: "Yes",
      no: "No",
      bulk: "Bulk only",
      all_but_otp: "All but one-time passwords",
      all: "All",
      "messages:send": "send single, scheduled and batch messages",
      "messages:read": "follow messages",
      "groups:send": "send to approved groups",
      "patterns:send": "send approved patterns",
      "otp:send": "send and verify one-time passwords",
      "inbound:read": "read what phones wrote",
      "webhooks:manage": "register callbacks",
      "senders:read": "list senders",
    },
  },
  fa: {
    fields: {
      key: {
        name: { label: "نام", hint: "کدام سامانه آن را به کار می‌برد." },
        rate: { label: "درخواست در دقیقه", hint: "بیش از آن پذیرفته نمی‌شود." },
        permissions: { label: "اجازه‌ها", hint: "برای چه کارهایی پذیرفته می‌شود." },
        expiresAt: { label: "پایان", hint: "از کی دیگر پذیرفته نمی‌شود: یک روز، اگر خواستید با ساعت. خالی: هرگز." },
        allowFrom: { label: "نشانی‌ها", hint: "تنها از این‌ها پذیرفته می‌شود: نشانی یا بازه. خالی: از هر جا." },
      },
      account: {
        name: { label: "نام", hint: "این حساب از آن کیست. مشتری آن را در درگاه خود می‌بیند." },
        defaultSender: { label: "فرستندهٔ پیش‌فرض", hint: "برای رمزهای یک‌بارمصرف و الگوهایی که فرستنده ندارند." },
        timeZone: { label: "منطقهٔ زمانی", hint: "روز در کجا آغاز می‌شود." },
        countries: { label: "کشورها", hint: "کشورهای مجاز: هر یک دو حرف، یا واژهٔ آخر برای همه." },
        quietHours: {
          label: "ساعت‌های سکوت",
          hint: "بازه‌هایی که پیام انبوه در آن صبر می‌کند، هر سطر یکی، با نام روزها اگر تنها در آن‌هاست؛ واژهٔ آخر یعنی هیچ.",
        },
        quietSingles: {
          label: "پیام‌های تکی هم صبر کنند",
          hint: "آیا پیام‌های تکی هم در ساعت‌های سکوت صبر کنند. رمز یک‌بارمصرف هرگز صبر نمی‌کند.",
        },
        suppression: { label: "شماره‌های منع‌شده", hint: "فهرست شماره‌ها جلوی کدام پیام‌های این حساب را می‌گیرد." },
        retentionDays: {
          label: "روزهای نگه‌داری پیام‌ها",
          hint: "پس از آن پیام‌ها پاک می‌شود؛ آمارشان می‌ماند.",
        },
        textDays: {
          label: "روزهای نگه‌داری متن‌ها",
          hint: "پس از آن پیام بی متن می‌ماند. خالی: تا وقتی که خود پیام هست.",
        },
        keysMax: { label: "بیشینهٔ کلیدها", hint: "مشتری چند کلید می‌تواند داشته باشد. متصدی بیشتر هم می‌سازد." },
        credentialsMax: {
          label: "بیشینهٔ شناسه‌های ورود",
          hint: "مشتری چند شناسه می‌تواند داشته باشد. متصدی بیشتر هم می‌سازد.",
        },
        bindsMax: {
          label: "بیشینهٔ اتصال‌های هر شناسهٔ ورود",
          hint: "آنچه مشتری می‌تواند برگزیند، جایی که متصدی حدی نگذاشته است.",
        },
        windowMax: {
          label: "بیشینهٔ پنجرهٔ هر شناسهٔ ورود",
          hint: "آنچه مشتری می‌تواند برگزیند، جایی که متصدی حدی نگذاشته است.",
        },
        rateMax: {
          label: "بیشینهٔ پیام در ثانیه",
          hint: "آنچه مشتری می‌تواند برای شناسهٔ ورود، و به درخواست برای کلید، برگزیند، جایی که متصدی حدی نگذاشته است. خالی: بی‌حد.",
        },
      },
    },
    limitSetBy: { provider: "حدی که ارائه‌دهنده گذاشته", operator: "حدی که متصدی گذاشته" },
    noValue: {
      asSettings: (value) => `${value}، پیش‌فرض`,
      ifEmpty: "خالی: پیش‌فرض،",
      bySettings: "پیش‌فرض",
      others: ({ text }) => `${text} مورد دیگر`,
      withMessages: "به اندازهٔ خود پیام‌ها",
      everyCountry: "همهٔ کشورها",
      none: "هیچ",
    },
    choices: {
      yes: "بله",
      no: "نه",
      bulk: "تنها انبوه",
      all_but_otp: "همه جز رمز یک‌بارمصرف",
      all: "همه",
      "messages:send": "فرستادن پیام تکی، زمان‌بندی‌شده و دسته‌ای",
      "messages:read": "پیگیری پیام‌ها",
      "groups:send": "فرستادن به گروه‌های تأییدشده",
      "patterns:send": "فرستادن الگوهای تأییدشده",
      "otp:send": "فرستادن و سنجیدن رمز یک‌بارمصرف",
      "inbound:read": "خواندن پیام‌های رسیده",
      "webhooks:manage": "ثبت وب‌هوک",
      "senders:read": "فهرست فرستنده‌ها",
    },
  },
});
