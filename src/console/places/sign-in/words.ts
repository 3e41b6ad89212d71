/** The texts of the pages for sign-in and setup links, in both languages. */

import type { SignOnTrouble } from "../../../users/single-sign-on.ts";
import { isolate } from "../../../words/isolate.ts";
import type { Count } from "../../format/format.ts";
import { bothLanguages } from "../../words/both-languages.ts";

export const signInWords = bothLanguages({
  en: {
    title: "Sign in",
    lead: (owner: string) => `to ${owner}`,
    leadBefore: (owner: string) => `to sign in to ${owner}`,
    user: "User name",
    submit: "Sign in",
    wrong: "User name or password is wrong. Nothing was changed.",
    ended: "Your session ended. Sign in again.",
    kept: "Your session ended. Sign in again; what you typed is kept.",
    again: "The second step took too long, or too many codes were wrong. Sign in again.",
    slow: (duration: string) => `Too many attempts. Try again in ${duration}.`,
    busy: (duration: string) => `Many people are signing in right now. Try again in ${duration}.`,
    new: "Nobody can sign in yet. On the machine that runs Peyk, this command prints the link by which the first owner chooses a password: ",
    forgotten: "Password forgotten? An owner can reset it: ",
    forgottenOwn: "Password forgotten? Ask your provider for a new link.",
  },
  fa: {
    title: "ورود",
    lead: (owner) => isolate(owner),
    leadBefore: (owner) => `برای ورود به ${isolate(owner)}`,
    user: "نام کاربری",
    submit: "ورود",
    wrong: "نام کاربری یا گذرواژه درست نیست. چیزی تغییر نکرد.",
    ended: "نشست شما پایان یافت. دوباره وارد شوید.",
    kept: "نشست شما پایان یافت. دوباره وارد شوید؛ آنچه نوشته‌اید مانده است.",
    again: "مرحلهٔ دوم بیش از اندازه طول کشید یا کدهای نادرست زیاد شد. دوباره وارد شوید.",
    slow: (duration) => `تلاش‌ها زیاد شد. تلاش بعدی ${duration} دیگر پذیرفته می‌شود.`,
    busy: (duration) => `هم‌اکنون افراد زیادی وارد می‌شوند و ورود شما بررسی نشد. ${duration} دیگر دوباره تلاش کنید.`,
    new: "هنوز کسی نمی‌تواند وارد شود. این فرمان روی دستگاهی که پیک را اجرا می‌کند، پیوندی می‌دهد که نخستین مالک با آن گذرواژه‌اش را برمی‌گزیند: ",
    forgottenOwn: "گذرواژه را فراموش کرده‌اید؟ از ارائه‌دهندهٔ خود پیوند تازه‌ای بخواهید.",
    forgotten: "گذرواژه را فراموش کرده‌اید؟ مالک می‌تواند آن را عوض کند: ",
  },
});

type SaidOfTrouble = (provider: string, claim: string, valuesMax: string) => string;

const troublesInEnglish: Readonly<Record<SignOnTrouble["kind"], SaidOfTrouble>> = {
  down: (name) => `${name} does not answer. Try again in a moment.`,
  unusable: (name) =>
    `${name} does not answer as a provider does, or the settings for it do not fit. The log of this service says what.`,
  refused: (name) => `${name} did not let you in.`,
  clock: (name) =>
    `The clocks of ${name} and of this service differ by more than a minute, so its answer does not count.`,
  untrusted: (name) =>
    `The answer of ${name} cannot be trusted, so nobody was signed in. The log of this service says why.`,
  expired: () => "This sign-in began in another browser, was used before, or took too long. Begin again.",
  busy: () => "Many people are signing in right now. Try again in a moment.",
  disabled: () => "This user is disabled here. An owner can change that.",
  identity_taken: (name) => `At ${name} you are already linked to another user of this service.`,
  missing: (name, claim) =>
    `${name} did not send the claim ${claim}. Whoever runs it adds this claim to what it sends here.`,
  wrong_type: (name, claim) => `${name} sent the claim ${claim} as something other than a text or a list of texts.`,
  too_many: (name, claim, max) =>
    `${name} sent the claim ${claim} with more than ${max} values. Whoever runs it limits them to those for this service.`,
  no_match: (name, claim) =>
    `Nothing in the claim ${claim} opens this service. Whoever runs ${name} adds you to a group, or an owner gives one of yours a role here.`,
  account: (name, claim) => `The claim ${claim} of ${name} does not name your account here by its id.`,
  acr: (name) => `A second factor is required, and ${name} does not say that it asked you for one.`,
};

export const providerWords = bothLanguages({
  en: {
    button: (name: string) => `Sign in with ${name}`,
    or: "or with a password",
    orOwner: "or, for owners, with a password",
    troubles: troublesInEnglish,
  },
  fa: {
    button: (name) => `ورود با ${isolate(name)}`,
    or: "یا با گذرواژه",
    orOwner: "یا، برای مالکان، با گذرواژه",
    troubles: {
      down: (name) => `${isolate(name)} پاسخ نمی‌دهد. کمی دیگر دوباره تلاش کنید.`,
      unusable: (name) =>
        `پاسخ ${isolate(name)} پاسخ یک ارائه‌دهندهٔ ورود نیست، یا تنظیمات آن این‌جا درست نیست. جزئیات در گزارش رویدادهای این سرویس است.`,
      refused: (name) => `${isolate(name)} به شما اجازهٔ ورود نداد.`,
      clock: (name) => `ساعت ${isolate(name)} و ساعت این سرویس بیش از یک دقیقه اختلاف دارند، پس پاسخ آن پذیرفته نیست.`,
      untrusted: (name) =>
        `پاسخ ${isolate(name)} قابل اعتماد نیست، پس کسی وارد نشد. دلیل آن در گزارش رویدادهای این سرویس است.`,
      expired: () =>
        "این ورود در مرورگر دیگری آغاز شده، پیش‌تر به کار رفته یا بیش از اندازه طول کشیده است. دوباره آغاز کنید.",
      busy: () => "هم‌اکنون افراد زیادی وارد می‌شوند. کمی دیگر دوباره تلاش کنید.",
      disabled: () => "این کاربر این‌جا غیرفعال است. مالک می‌تواند آن را تغییر دهد.",
      identity_taken: (name) => `شما نزد ${isolate(name)} به کاربر دیگری از این سرویس پیوند خورده‌اید.`,
      missing: (name, claim) =>
        `${isolate(name)} مشخصهٔ ${isolate(claim)} را نفرستاد. گردانندهٔ آن باید این مشخصه را به آنچه به این‌جا می‌فرستد بیفزاید.`,
      wrong_type: (name, claim) =>
        `${isolate(name)} مشخصهٔ ${isolate(claim)} را نه به شکل متن فرستاد و نه به شکل فهرستی از متن‌ها.`,
      too_many: (name, claim, max) =>
        `${isolate(name)} مشخصهٔ ${isolate(claim)} را با بیش از ${max} مقدار فرستاد. گردانندهٔ آن باید تنها مقدارهای مربوط به این سرویس را بفرستد.`,
      no_match: (name, claim) =>
        `هیچ مقداری از مشخصهٔ ${isolate(claim)} راهی به این سرویس ندارد. گردانندهٔ ${isolate(name)} باید شما را به گروهی بیفزاید، یا مالک به یکی از گروه‌های شما نقشی بدهد.`,
      account: (name, claim) => `مشخصهٔ ${isolate(claim)} که ${isolate(name)} فرستاد، شناسهٔ حساب شما در این‌جا نیست.`,
      acr: (name) => `این‌جا عامل دوم لازم است، و ${isolate(name)} نمی‌گوید که آن را از شما خواسته باشد.`,
    },
  },
});

export const setupWords = bothLanguages({
  en: {
    title: "Choose a password",
    forUser: "For",
    again: "Repeat the password",
    submit: "Set the password and sign in",
    ended: "This link was used, replaced by a newer one, or is older than an hour.",
    another: "A new one:",
  },
  fa: {
    title: "انتخاب گذرواژه",
    forUser: "برای",
    again: "همان گذرواژه، یک بار دیگر",
    submit: "ثبت گذرواژه و ورود",
    ended: "این پیوند استفاده شده، پیوند تازه‌تری جای آن آمده، یا بیش از یک ساعت از ساختش گذشته است.",
    another: "پیوند تازه:",
  },
});

/** Each receives the minimum length. */
export const passwordsWords = bothLanguages({
  en: {
    hint: ({ text }: Count) => `At least ${text} characters. A few unrelated words are easy to remember.`,
    too_short: ({ text }: Count) => `Use at least ${text} characters.`,
    too_long: (_: Count) => "This is longer than 256 characters.",
    holds_name: (_: Count) => "It contains your user name, which is tried first.",
    common: (_: Count) => "This is one of the passwords that are tried first. Choose another one.",
    different: (_: Count) => "The passwords differ.",
  },
  fa: {
    hint: ({ text }) => `دست‌کم ${text} نویسه. چند واژهٔ بی‌ربط به هم به‌آسانی در یاد می‌ماند.`,
    too_short: ({ text }) => `دست‌کم ${text} نویسه بنویسید.`,
    too_long: () => "این از ۲۵۶ نویسه بلندتر است.",
    holds_name: () => "نام کاربری شما در آن است و پیش از هر چیز امتحان می‌شود.",
    common: () => "این از گذرواژه‌هایی است که پیش از همه امتحان می‌شوند. گذرواژهٔ دیگری برگزینید.",
    different: () => "این دو یکی نیستند.",
  },
});

export const savedFormWords = bothLanguages({
  en: {
    title: "What you typed is still here",
    lead: "You were signed out before it arrived, so nothing was done. Passwords and files are not kept.",
    again:
      "This form arrived after you had been signed out, so nothing was done. What you typed is in it again, except passwords and files.",
    noPage: "The page of this form is no longer available to you. You had typed:",
    leave: "To the first page",
  },
  fa: {
    title: "آنچه نوشته بودید مانده است",
    lead: "فرم شما پس از پایان نشستتان رسید، پس کاری انجام نشد. گذرواژه‌ها و فایل‌ها نگه داشته نمی‌شوند.",
    again:
      "این فرم پس از پایان نشست شما رسید، پس کاری انجام نشد. آنچه نوشته بودید، جز گذرواژه و فایل، دوباره در آن است.",
    noPage: "صفحهٔ این فرم دیگر برای شما در دسترس نیست. این‌ها در آن نوشته شده بود:",
    leave: "به صفحهٔ نخست",
  },
});

export const enterWords = bothLanguages({
  en: {
    title: "Welcome",
    as: "You enter as",
    submit: "Enter",
    once: "Once, within a minute. A second factor, if you have one, comes next.",
    byPassword: "Sign in otherwise",
    ended: "This link was used or is over a minute old. Go back to where you came from for a new one.",
  },
  fa: {
    title: "خوش آمدید",
    as: "وارد می‌شوید با نام",
    submit: "ورود",
    once: "یک بار و تا یک دقیقهٔ دیگر. عامل دوم، اگر دارید، پس از این می‌آید.",
    byPassword: "ورود به راه دیگر",
    ended: "این پیوند به کار رفته یا بیش از یک دقیقه از آن گذشته است. برای پیوند تازه به همان‌جا که بودید برگردید.",
  },
});
