/** The texts of the pages for patterns, groups and their approval, in both languages. */

import { isolate } from "../../../words/isolate.ts";
import type { Count } from "../../format/format.ts";
import { bothLanguages } from "../../words/both-languages.ts";

export const patternsWords = bothLanguages({
  en: {
    lead: "Approved texts with variables that an account fills in.",
    ownLead: "Approved texts with variables that you fill in.",
    create: "New pattern",
    make: "Create pattern",
    emptyTitle: "No pattern yet",
    empty: "A text with variables, such as a one-time password or a reminder. It is approved before it is sent.",
    head: { parts: "Parts, at most" },
    codeHint: "How the API refers to it: letters, digits, dots, dashes and underscores.",
    textHint: "Write variables in double braces.",
    senderHint: "Empty: the account's default one, or whichever a request names.",
    anySender: "the account's default",
    facts: "Details",
    variables: "Variables, and how long each may be",
    latin: "At its longest, in Latin letters",
    persian: "At its longest, in Persian letters",
    templateId: "Registered as",
    sample: {
      title: "Try it with values",
      to: "Recipient",
      toHint: "For the cost of one message. Nothing is sent.",
      show: "Try it",
      missing: "Parts and cost appear once every variable has a value.",
      tooLong: (name: string, most: string) => `${name} has at most ${most} characters.`,
    },
  },
  fa: {
    lead: "متن‌هایی که یک بار تأیید می‌شوند؛ حساب جای متغیرها را پر می‌کند.",
    ownLead: "متن‌هایی که یک بار تأیید می‌شوند؛ شما جای متغیرها را پر می‌کنید.",
    create: "الگوی تازه",
    make: "ساختن الگو",
    emptyTitle: "هنوز الگویی نیست",
    empty: "متنی با متغیر، مانند رمز یک‌بارمصرف یا یادآوری. پیش از ارسال تأیید می‌شود.",
    head: { parts: "بیشترین بخش" },
    codeHint: "API آن را با این کد می‌شناسد: حرف لاتین، رقم، نقطه و خط.",
    textHint: "متغیرها میان دو جفت آکولاد می‌آیند.",
    senderHint: "خالی: پیش‌فرض حساب، یا همان که درخواست می‌گوید.",
    anySender: "پیش‌فرض حساب",
    facts: "جزئیات",
    variables: "متغیرها و بیشترین طول هر یک",
    latin: "در بلندترین حالت، با حروف لاتین",
    persian: "در بلندترین حالت، با حروف فارسی",
    templateId: "ثبت‌شده با",
    sample: {
      title: "آزمودن با مقدارها",
      to: "گیرنده",
      toHint: "برای هزینهٔ یک پیام. چیزی فرستاده نمی‌شود.",
      show: "نمایش",
      missing: "شمار بخش‌ها و هزینه وقتی گفته می‌شود که همهٔ متغیرها پر شده باشند.",
      tooLong: (name, most) => `${isolate(name)} بیش از ${most} نویسه نمی‌گیرد.`,
    },
  },
});

export const groupsWords = bothLanguages({
  en: {
    ownLead: "People to whom you may send one text. A new list waits for approval; the approved one sends until then.",
    lead: "People to whom an account may send one text. A new list waits for approval; the approved one sends until then.",
    create: "New group",
    emptyTitle: "No group yet",
    empty: "A list of members, imported from a file and approved.",
    head: { name: "Group", draft: "New list" },
    waits: ({ value, text }: Count) =>
      value === 1 ? "1 member, not approved yet" : `${text} members, not approved yet`,
    facts: "Lists",
    approvedMembers: "Approved members",
    draft: "New list",
    file: "File of the new list",
    fileHint:
      "CSV in UTF-8. Its first line names the columns: mobile, and if you like firstName, lastName or fullName.",
    importNote:
      "It becomes a new list that waits for approval. Wrong lines are listed, and nothing is imported unless you leave them out.",
    done: (members: Count, repeated: Count) =>
      `${members.text} ${members.value === 1 ? "member is" : "members are"} in the new list; ${repeated.text} ${repeated.value === 1 ? "line" : "lines"} repeated a number. It waits for approval.`,
    back: "To the group",
    nothingToApprove: "The group has no members yet: import them first.",
  },
  fa: {
    ownLead:
      "کسانی که می‌توانید متنی را برایشان بفرستید. فهرست تازه منتظر تأیید می‌ماند و تا آن هنگام فهرست تأییدشده به کار می‌رود.",
    lead: "کسانی که یک حساب می‌تواند متنی را برایشان بفرستد. فهرست تازه منتظر تأیید می‌ماند و تا آن هنگام فهرست تأییدشده به کار می‌رود.",
    create: "گروه تازه",
    emptyTitle: "هنوز گروهی نیست",
    empty: "فهرستی از اعضا که از فایل وارد و تأیید می‌شود.",
    head: { name: "گروه", draft: "فهرست تازه" },
    waits: ({ text }) => `${text} عضو، هنوز تأیید نشده`,
    facts: "فهرست‌ها",
    approvedMembers: "اعضایی که برایشان فرستاده می‌شود",
    draft: "فهرست تازه",
    file: "فایل فهرست تازه",
    fileHint: "فایل متنی. سطر نخست ستون‌ها را نام می‌برد: «موبایل» و اگر خواستید «نام»، «نام خانوادگی» یا «نام کامل».",
    importNote:
      "فهرست تازه‌ای می‌شود که منتظر تأیید است. سطرهای نادرست نام برده می‌شوند و جلوی همه را می‌گیرند، مگر کنارشان بگذارید.",
    done: (members, repeated) =>
      `${members.text} عضو در فهرست تازه است؛ ${repeated.text} سطر شمارهٔ تکراری داشت. منتظر تأیید است.`,
    back: "به گروه",
    nothingToApprove: "گروه هنوز عضوی ندارد: نخست اعضا را وارد کنید.",
  },
});

export const decisionsWords = bothLanguages({
  en: {
    lead: "Lists and texts that wait for approval, the oldest first.",
    title: "Decisions",
    none: "No decisions yet.",
    what: "Decision",
    by: "By",
    approve: "Approve",
    suspend: "Suspend",
    done: { approve: "Approved: it can be used from now on.", suspend: "Suspended: it is refused from now on." },
    added: "It waits for approval.",
    emptyTitle: "Nothing waits for approval",
    empty: "New lists of groups and new patterns appear here.",
    subject: "What",
    kinds: { group: "Group", pattern: "Pattern" },
    content: "Content",
  },
  fa: {
    lead: "فهرست‌ها و متن‌هایی که هنوز کسی تأیید نکرده، قدیمی‌ترین نخست.",
    title: "تصمیم‌ها",
    none: "هنوز کسی تصمیم نگرفته است.",
    what: "تصمیم",
    by: "از سوی",
    approve: "تأیید",
    suspend: "تعلیق",
    done: { approve: "تأیید شد و از این پس به کار می‌آید.", suspend: "معلق شد و از این پس پذیرفته نمی‌شود." },
    added: "منتظر تأیید است.",
    emptyTitle: "چیزی منتظر تأیید نیست",
    empty: "فهرست‌های تازهٔ گروه‌ها و الگوهای تازه این‌جا می‌آیند.",
    subject: "مورد",
    kinds: { group: "گروه", pattern: "الگو" },
    content: "محتوا",
  },
});
