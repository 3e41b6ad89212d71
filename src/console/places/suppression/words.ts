/** The texts of the suppression pages, in both languages. */

import { isolate } from "../../../words/isolate.ts";
import type { Count } from "../../format/format.ts";
import { bothLanguages } from "../../words/both-languages.ts";

export const suppressionWords = bothLanguages({
  en: {
    lead: "Numbers that must not get messages, for every account or for one.",
    allLists: "All lists",
    everyAccount: "Every account",
    search: "Find a number",
    numberHint: "In any spelling.",
    noNumber: "This is not a mobile number.",
    found: (number: string) => `Lists that ${number} is on`,
    notFound: (number: string) => `${number} is on no list.`,
    account: "List of",
    source: "By",
    sources: { operator: "Operator", import: "Import", keyword: "Keyword of the phone" },
    emptyTitle: "The list is empty",
    empty: "Numbers are added by hand, from a file, or when a phone sends a stop word.",
    add: "Add a number",
    noteHint: "Why, in at most 120 characters.",
    /** By what the lists block for the account. */
    added: {
      bulk: (number: string) =>
        `${number} is on the account's list: bulk messages are not handed over to it any more; single ones and one-time passwords still are.`,
      all_but_otp: (number: string) =>
        `${number} is on the account's list: only one-time passwords are handed over to it from now on.`,
      all: (number: string) =>
        `${number} is on the account's list: nothing of the account is handed over to it any more.`,
    },
    addedForAll: (number: string) =>
      `${number} is on the list of every account: bulk messages are not handed over to it any more; single ones and one-time passwords still are, unless an account's settings stop them as well.`,
    remove: "Remove",
    removing: {
      question: (number: string) => `Take ${number} off the list?`,
      goes: "Messages to it are sent again",
      stays: "Its entries on other lists, and the audit trail",
      doIt: "Take it off",
      keep: "Keep it on the list",
    },
    removed: (number: string) => `${number} was taken off the list.`,
    export: "The list as CSV",
    importTitle: "Import a file",
    fileHint:
      "CSV in UTF-8. Wrong lines are listed, and nothing is imported unless you leave them out. The column of the numbers:",
    done: (added: Count, known: Count) =>
      `${added.text} ${added.value === 1 ? "number was" : "numbers were"} added; ${known.text} ${known.value === 1 ? "was" : "were"} on the list before.`,
    back: "To the list",
  },
  fa: {
    lead: "شماره‌هایی که نباید پیامی بگیرند، برای همهٔ حساب‌ها یا یکی.",
    allLists: "همهٔ فهرست‌ها",
    everyAccount: "همهٔ حساب‌ها",
    search: "یافتن شماره",
    numberHint: "به هر نگارشی.",
    noNumber: "این شمارهٔ همراه نیست.",
    found: (number) => `فهرست‌هایی که ${isolate(number)} در آن‌هاست`,
    notFound: (number) => `${isolate(number)} در هیچ فهرستی نیست.`,
    account: "فهرستِ",
    source: "از سوی",
    sources: { operator: "متصدی", import: "فایل", keyword: "کلیدواژهٔ گوشی" },
    emptyTitle: "فهرست خالی است",
    empty: "شماره‌ها با دست، از فایل، یا با پیام «لغو» از گوشی به این‌جا می‌آیند.",
    add: "افزودن شماره",
    noteHint: "چرا، در حداکثر ۱۲۰ نویسه.",
    added: {
      bulk: (number) =>
        `${isolate(number)} در فهرست حساب است: پیام‌های انبوه دیگر به آن سپرده نمی‌شوند؛ پیام‌های تکی و رمزهای یک‌بارمصرف همچنان فرستاده می‌شوند.`,
      all_but_otp: (number) =>
        `${isolate(number)} در فهرست حساب است: از این پس تنها رمزهای یک‌بارمصرف به آن فرستاده می‌شوند.`,
      all: (number) => `${isolate(number)} در فهرست حساب است: دیگر هیچ پیامی از این حساب به آن سپرده نمی‌شود.`,
    },
    addedForAll: (number) =>
      `${isolate(number)} در فهرست همهٔ حساب‌هاست: پیام‌های انبوه دیگر به آن سپرده نمی‌شوند؛ پیام‌های تکی و رمزهای یک‌بارمصرف همچنان فرستاده می‌شوند، مگر تنظیمات حسابی جلوی آن‌ها را هم بگیرد.`,
    remove: "برداشتن",
    removing: {
      question: (number) => `${isolate(number)} از فهرست برداشته شود؟`,
      goes: "پیام‌ها دوباره به آن فرستاده می‌شوند",
      stays: "جای آن در فهرست‌های دیگر، و آنچه در سابقهٔ تغییرات ثبت شده",
      doIt: "برداشتن از فهرست",
      keep: "در فهرست بماند",
    },
    removed: (number) => `${isolate(number)} از فهرست برداشته شد.`,
    export: "فهرست به‌صورت CSV",
    importTitle: "وارد کردن از فایل",
    fileHint: "فایل متنی. سطرهای نادرست نام برده می‌شوند و جلوی همه را می‌گیرند، مگر کنارشان بگذارید. نام ستون شماره‌ها:",
    done: (added, known) => `${added.text} شماره افزوده شد؛ ${known.text} شماره از پیش بود.`,
    back: "به فهرست",
  },
});
