/** Texts of forms and file imports, in both languages. */

import { persianColumns } from "../../words/fa/import-problem.ts";
import { isolate } from "../../words/isolate.ts";
import type { Count } from "../format/format.ts";
import { bothLanguages } from "./both-languages.ts";

export const formWords = bothLanguages({
  en: {
    forms: {
      typeCount: (count: string) => `Type ${count} to send them.`,
      senderOf: (account: string, sender: string) => `${account} · ${sender}`,
      refused: (problem: string) => `It ${problem}.`,
      optional: "optional",
      secretAgain: "Whatever you typed here is typed again: no page shows it.",
      change: "Change",
      chooseFile: "Choose a file",
      noFile: "No file chosen",
      account: {
        hint: (id: string) => `The id, such as ${id}, or the whole name of an account.`,
        empty: (meaning: string) => `Empty: ${meaning}.`,
        instead: (typed: string, meaning: string) => `${typed}: ${meaning}.`,
        missing: "Type the id or the name of an account.",
        unknown: (typed: string) => `There is no account “${typed}”.`,
        near: (typed: string, accounts: string) => `There is no account “${typed}”. There is ${accounts}.`,
        several: (typed: string, accounts: string) =>
          `Several accounts are named “${typed}”: ${accounts}. Type the id of the one that is meant.`,
      },
      sender: {
        hint: (sender: string) => `A number or name of a sender, such as ${sender}.`,
        ofSeveral: (sender: string) => `Where several accounts have it, with the account: ${sender}.`,
        missing: "Type a sender.",
        unknown: (typed: string) => `There is no active sender “${typed}”.`,
        near: (typed: string, senders: string) => `There is no active sender “${typed}”. There is ${senders}.`,
        several: (typed: string, senders: string) =>
          `Several accounts have a sender “${typed}”: ${senders}. Type the one that is meant with its account.`,
      },
      summary: ({ value, text }: Count) => (value === 1 ? "One field needs a look" : `${text} fields need a look`),
      changedByOther: (now: string) =>
        `Somebody else has changed this in the meantime${now === "" ? " and left it empty" : `, to: ${now}`}. Save again to keep yours.`,
      repeated: "This form was sent before. Nothing was done a second time.",
      shared: "Somebody else has changed other fields in the meantime; those changes are kept too.",
    },
    imports: {
      title: "Import",
      noFile: "Choose a file.",
      preview: (file: string) => `First rows of ${file}`,
      column: (number: string) => `Column ${number}`,
      columns: {
        mobile: "Mobile number",
        firstName: "First name",
        lastName: "Last name",
        fullName: "Full name",
        "-": "Left out",
      },
      header: "The first line names the columns and is not imported",
      found: "What an import would find",
      members: "Numbers",
      repeated: "Lines that repeat one",
      wrongLines: "Wrong lines",
      tooMany: (most: string) => `A group has at most ${most} members: this file is not imported.`,
      stops: "Nothing is imported while a line is wrong. The first wrong lines:",
      stopsUnlessLeftOut:
        "Nothing is imported while a line is wrong, unless you leave the wrong lines out. The first of them:",
      leaveOut: ({ value, text }: Count) =>
        value === 1 ? "Import without the wrong line" : `Import without the ${text} wrong lines`,
      leftOut: ({ value, text }: Count) =>
        value === 1
          ? "1 wrong line was left out: the CSV above has it, with the reason."
          : `${text} wrong lines were left out: the CSV above has them, with the reasons.`,
      check: "Check it again",
      start: "Import",
      gone: "The file is no longer kept here. Choose it again.",
      progress: (done: Count, total: Count, refused: Count) => `${done.text} of ${total.text}, ${refused.text} refused`,
      leave: "It goes on when you leave this page.",
      line: (line: string) => `Line ${line}`,
      look: "Look again",
      wrong: "Nothing was imported: correct the lines above and import the file again, or leave them out there.",
      refusedCsv: "Refused lines as CSV",
    },
  },
  fa: {
    forms: {
      typeCount: (count) => `برای فرستادن، ${count} را بنویسید.`,
      senderOf: (account, sender) => `${isolate(account)} · ${isolate(sender)}`,
      refused: (problem) => `پذیرفته نشد: ${isolate(problem)}`,
      optional: "اختیاری",
      secretAgain: "اگر چیزی این‌جا نوشته بودید دوباره بنویسید: در هیچ صفحه‌ای نمی‌آید.",
      change: "تغییر",
      chooseFile: "برگزیدن فایل",
      noFile: "فایلی برگزیده نشده",
      account: {
        hint: (id) => `شناسه، مانند ${isolate(id)}، یا نام کامل حساب.`,
        empty: (meaning) => `خالی: ${meaning}.`,
        instead: (typed, meaning) => `${isolate(typed)}: ${meaning}.`,
        missing: "شناسه یا نام حساب را بنویسید.",
        unknown: (typed) => `حساب «${isolate(typed)}» پیدا نشد.`,
        near: (typed, accounts) => `حساب «${isolate(typed)}» پیدا نشد. نزدیک به آن: ${accounts}.`,
        several: (typed, accounts) =>
          `نام چند حساب «${isolate(typed)}» است: ${accounts}. شناسهٔ حساب موردنظر را بنویسید.`,
      },
      sender: {
        hint: (sender) => `شماره یا نام فرستنده، مانند ${isolate(sender)}.`,
        ofSeveral: (sender) => `اگر چند حساب آن را دارند، همراه با حساب: ${isolate(sender)}.`,
        missing: "فرستنده را بنویسید.",
        unknown: (typed) => `فرستندهٔ فعالی به نام «${isolate(typed)}» پیدا نشد.`,
        near: (typed, senders) => `فرستندهٔ فعالی به نام «${isolate(typed)}» پیدا نشد. نزدیک به آن: ${senders}.`,
        several: (typed, senders) =>
          `چند حساب فرستندهٔ «${isolate(typed)}» را دارند: ${senders}. فرستندهٔ موردنظر را همراه با حسابش بنویسید.`,
      },
      summary: ({ value, text }) =>
        value === 1 ? "یک فیلد نیاز به بازبینی دارد" : `${text} فیلد نیاز به بازبینی دارد`,
      changedByOther: (now) =>
        `در این میان کس دیگری این را ${now === "" ? "خالی کرده است" : `تغییر داده است، به: ${isolate(now)}`}. برای نگه‌داشتن نوشتهٔ خود دوباره ذخیره کنید.`,
      repeated: "این فرم پیش‌تر فرستاده شده بود؛ بار دوم کاری انجام نشد.",
      shared: "در این میان کس دیگری فیلدهای دیگری را تغییر داده است؛ آن هم مانده است.",
    },
    imports: {
      title: "وارد کردن از فایل",
      noFile: "فایلی برگزینید.",
      preview: (file) => `ردیف‌های نخست ${isolate(file)}`,
      column: (number) => `ستون ${number}`,
      columns: { ...persianColumns, "-": "کنار گذاشته" },
      header: "سطر نخست نام ستون‌هاست و وارد نمی‌شود",
      found: "آنچه در فایل یافت شد",
      members: "شماره",
      repeated: "سطر تکراری",
      wrongLines: "سطر نادرست",
      tooMany: (most) => `هر گروه حداکثر ${most} عضو دارد؛ این فایل وارد نمی‌شود.`,
      stops: "یک سطر نادرست جلوی همه را می‌گیرد. نخستین آن‌ها:",
      stopsUnlessLeftOut: "تا سطری نادرست باشد چیزی وارد نمی‌شود، مگر آن‌ها را کنار بگذارید. نخستین آن‌ها:",
      leaveOut: ({ text }) => `وارد کردن بدون ${text} سطر نادرست`,
      leftOut: ({ text }) => `${text} سطر نادرست کنار گذاشته شد؛ در CSV بالا با دلیل آمده است.`,
      check: "بررسی دوباره",
      start: "وارد کردن",
      gone: "فایل دیگر این‌جا نگه داشته نمی‌شود. دوباره آن را برگزینید.",
      progress: (done, total, refused) => `${done.text} از ${total.text}، ${refused.text} رد شد`,
      leave: "با ترک این صفحه هم ادامه می‌یابد.",
      line: (line) => `سطر ${line}`,
      look: "نگاه دوباره",
      wrong: "چیزی وارد نشد: سطرهای بالا را درست کنید و فایل را دوباره وارد کنید، یا همان‌جا کنارشان بگذارید.",
      refusedCsv: "سطرهای ردشده به‌صورت CSV",
    },
  },
});
