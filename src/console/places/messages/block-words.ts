/** The texts of blocking a number, in both languages. */

import { isolate } from "../../../words/isolate.ts";
import { bothLanguages } from "../../words/both-languages.ts";

export const blockWords = bothLanguages({
  en: {
    block: "Block number",
    ask: (number: string) => `Block ${number}?`,
    whose: "Whose messages",
    onlyAccount: (account: string) => `Those of ${account}`,
    everyAccount: "Those of every account",
    /** By what the lists stop for the account. */
    stops: {
      bulk: (number: string, account: string) =>
        `Bulk messages of ${account} are not handed over to ${number} any more. Its single messages and one-time passwords still are.`,
      all_but_otp: (number: string, account: string) =>
        `Of ${account}, only one-time passwords are handed over to ${number} from now on.`,
      all: (number: string, account: string) => `Nothing of ${account} is handed over to ${number} any more.`,
    },
    stopsForAll: (number: string) =>
      `Bulk messages of every account are not handed over to ${number} any more. Single ones and one-time passwords still are, unless an account's settings stop them as well.`,
    waiting: "What waits is stopped as well, and fails as blocked. What was handed over already still arrives.",
    noteHint: "Why, in at most 120 characters. It stands on the list.",
    doIt: "Block number",
    blocked: (number: string, account: string) => `${number} is blocked for ${account}.`,
    blockedForAll: (number: string) => `${number} is blocked for every account.`,
    toLists: "Suppression lists",
  },
  fa: {
    block: "منع شماره",
    ask: (number) => `شمارهٔ ${isolate(number)} منع شود؟`,
    whose: "برای پیام‌های",
    onlyAccount: (account) => `تنها ${isolate(account)}`,
    everyAccount: "همهٔ حساب‌ها",
    stops: {
      bulk: (number, account) =>
        `پیام انبوه ${isolate(account)} دیگر به ${isolate(number)} سپرده نمی‌شود. پیام تکی و رمز یک‌بارمصرف آن همچنان می‌رود.`,
      all_but_otp: (number, account) =>
        `از این پس تنها رمز یک‌بارمصرف ${isolate(account)} به ${isolate(number)} سپرده می‌شود.`,
      all: (number, account) => `دیگر هیچ پیامی از ${isolate(account)} به ${isolate(number)} سپرده نمی‌شود.`,
    },
    stopsForAll: (number) =>
      `پیام انبوه هیچ حسابی دیگر به ${isolate(number)} سپرده نمی‌شود. پیام تکی و رمز یک‌بارمصرف همچنان می‌رود، مگر آنکه تنظیمات حسابی جلوی آن‌ها را هم بگیرد.`,
    waiting: "آنچه در انتظار است هم متوقف و ناموفق می‌شود. آنچه پیش‌تر سپرده شده همچنان می‌رسد.",
    noteHint: "چرا، حداکثر ۱۲۰ نویسه. در فهرست دیده می‌شود.",
    doIt: "منع شماره",
    blocked: (number, account) => `${isolate(number)} برای ${isolate(account)} منع شده است.`,
    blockedForAll: (number) => `${isolate(number)} برای همهٔ حساب‌ها منع شده است.`,
    toLists: "فهرست شماره‌های منع‌شده",
  },
});
