/** The texts of the key pages, in both languages. */

import { isolate } from "../../../words/isolate.ts";
import type { Count } from "../../format/format.ts";
import { bothLanguages } from "../../words/both-languages.ts";

export const keysWords = bothLanguages({
  en: {
    lead: {
      own: "Your systems send with a key. Only a fingerprint of it is kept.",
      other: "Its systems send with a key. Only a fingerprint of it is kept.",
    },
    all: ({ text }: Count) => `All ${text} keys`,
    create: "New key",
    make: "Create key",
    test: "test",
    testKey: "A test key",
    testKeyHint: "Its messages only go to the simulator, and are not counted.",
    everything: "everything",
    everywhere: "anywhere",
    head: {
      permissions: "Permissions",
      from: "Allowed from",
      created: "Created",
    },
    emptyTitle: "No key yet",
    empty: { own: "With a key your systems send.", other: "With a key this account's systems send." },
    rotate: "Renew",
    rotating: {
      question: (name: string) => `Renew the key ${name}?`,
      goes: "The current key stops working, at once or after some time.",
      stays: "Both work until then, so that nothing is interrupted.",
      doIt: "Renew it",
      keep: "Keep it",
    },
    grace: "How long the old key keeps working",
    graces: { 0: "Not at all: it stops now", 3600: "An hour", 86400: "24 hours", 604800: "7 days", 2592000: "30 days" },
    revoking: {
      question: (name: string) => `Revoke the key ${name}?`,
      goes: "Requests with it are refused from now on.",
      stays: "Accepted messages are sent. Reports and the history of messages stay.",
      doIt: (name: string) => `Revoke ${name}`,
      keep: "Keep it",
    },
    cancelWaiting: "Cancel what waits, too",
    cancelWaitingHint: "For a leaked key: its waiting and scheduled messages are not sent.",
    revokedWaiting: (name: string, { value, text }: Count) =>
      `${name} is revoked, and ${value === 1 ? "1 message that waited is" : `${text} messages that waited are`} cancelled.`,
    changeTitle: (name: string) => `Change ${name}`,
    changed: (name: string) => `${name} was changed. This applies from now on.`,
    revoked: (name: string) => `${name} is revoked.`,
  },
  fa: {
    lead: {
      own: "سامانه‌های شما با کلید پیام می‌فرستند. تنها اثر انگشت آن نگه داشته می‌شود.",
      other: "سامانه‌های این حساب با کلید پیام می‌فرستند. تنها اثر انگشت آن نگه داشته می‌شود.",
    },
    all: ({ text }) => `همهٔ ${text} کلید`,
    create: "کلید تازه",
    make: "ساختن کلید",
    test: "آزمایشی",
    testKey: "کلید آزمایشی",
    testKeyHint: "پیام‌هایش تنها به شبیه‌ساز می‌رود و در هیچ گزارشی نمی‌آید.",
    everything: "همه‌چیز",
    everywhere: "هر جا",
    head: {
      permissions: "اجازه‌ها",
      from: "از",
      created: "ساخته‌شده",
    },
    emptyTitle: "هنوز کلیدی نیست",
    empty: { own: "سامانهٔ شما با یک کلید می‌فرستد.", other: "سامانهٔ این حساب با یک کلید می‌فرستد." },
    rotate: "نوسازی",
    rotating: {
      question: (name) => `کلید ${isolate(name)} نو شود؟`,
      goes: "کلیدی که اکنون در کار است پایان می‌یابد، همین حالا یا کمی بعد.",
      stays: "تا آن هنگام هر دو پذیرفته می‌شوند تا چیزی نایستد.",
      doIt: "نو شود",
      keep: "بماند",
    },
    grace: "کلید پیشین تا کی پذیرفته شود",
    graces: { 0: "همین حالا پایان یابد", 3600: "یک ساعت", 86400: "۲۴ ساعت", 604800: "۷ روز", 2592000: "۳۰ روز" },
    revoking: {
      question: (name) => `کلید ${isolate(name)} باطل شود؟`,
      goes: "هرچه آن را به کار می‌برد از همین حالا پذیرفته نمی‌شود.",
      stays: "پیام‌های پذیرفته‌شده فرستاده می‌شوند. گزارش‌ها و سرگذشت پیام‌ها.",
      doIt: (name) => `ابطال ${isolate(name)}`,
      keep: "بماند",
    },
    cancelWaiting: "آنچه در انتظار است هم لغو شود",
    cancelWaitingHint: "کلید لو رفته است: آنچه با آن آمده و در صف یا زمان‌بندی‌شده است بیرون نرود.",
    revokedWaiting: (name, { text }) => `${isolate(name)} باطل شد و ${text} پیام در انتظار لغو شد.`,
    changeTitle: (name) => `تغییر ${isolate(name)}`,
    changed: (name) => `${isolate(name)} تغییر کرد و از همین حالا برقرار است.`,
    revoked: (name) => `${isolate(name)} باطل شد.`,
  },
});
