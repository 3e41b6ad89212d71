/** Persian: what is wrong with a field of a form, as the domain's English table says it. */
import type { ProblemTexts, ProblemValues } from "../../../domain/operator-problem.ts";
import { numbersOf } from "../../format/numbers.ts";
import { isolate } from "../isolate.ts";

const number = (value: number) => numbersOf.fa.one.format(value);

function between({ min, max }: ProblemValues["number"]): string {
  if (max === null) return min === null ? "" : ` از ${number(min)} به بالا`;
  return min === null ? ` حداکثر ${number(max)}` : ` از ${number(min)} تا ${number(max)}`;
}

/** Nobody writes fewer than none. */
const counted = ({ min, max }: ProblemValues["text"]) => between({ min: min === 0 ? null : min, max });

export const persianProblems: ProblemTexts = {
  text: (range) => (counted(range) === "" ? "متنی بنویسید." : `متنی بنویسید،${counted(range)} نویسه.`),
  line: (range) => `متنی یک‌خطی بنویسید،${counted(range)} نویسه.`,
  whole_number: (range) => `عددی صحیح بنویسید${between(range)}.`,
  number: (range) => `عددی بنویسید${between(range)}.`,
  list: (range) => {
    if (range.max === null && range.min !== null) return `دست‌کم ${number(range.min)} مورد لازم است.`;
    return counted(range) === "" ? "فهرستی بنویسید." : `فهرستی بنویسید،${counted(range)} مورد.`;
  },
  choice: ({ words }) => `یکی از این‌ها را برگزینید: ${words.map(isolate).join("، ")}.`,
  yes_or_no: () => "آری یا نه.",
  json_object: () => `باید یک شیء ${isolate("JSON")} باشد.`,
  sender: () => "۵ تا ۲۰ حرف لاتین، رقم و نشانه بنویسید، بی‌فاصله در آغاز و پایان.",
  country: () => `کد دوحرفی کشور را بنویسید، مانند ${isolate("IR")}.`,
  countries: () => `کدهای دوحرفی کشورها را بنویسید، هر یک یک بار، مانند ${isolate("IR")}.`,
  short_name: () => "۱ تا ۶۳ حرف لاتین، رقم، نقطه و خط بنویسید که با حرف یا رقم آغاز شود.",
  user_name: () => `۲ تا ۶۴ حرف کوچک لاتین، رقم و ${isolate(". _ @ + -")} بنویسید که با حرف یا رقم آغاز شود.`,
  time: () => "زمانی کامل با اختلاف ساعت بنویسید.",
  mobile_number: () => "شمارهٔ همراه نیست.",
  address: () => "شماره‌ای بنویسید، حداکثر ۴۰ نویسه.",
  time_zone: ({ value }) => `${isolate(value)} منطقهٔ زمانی نیست؛ نمونه: ${isolate("Asia/Tehran")}.`,
  quiet_window: ({ value }) =>
    `${isolate(value)} بازه نیست؛ نمونه: ${isolate("22:00-08:00")} یا ${isolate("13:00-16:00 Thu Fri")}.`,
  quiet_hours_full: () => "هیچ زمانی از هفته برای ارسال نمی‌گذارد.",
  nothing_to_change: () => "چیزی برای تغییر نیست.",
  unknown_country: ({ value }) => `${isolate(value)} کد کشور نیست.`,
  unknown_range: ({ value }) =>
    `${isolate(value)} بازه نیست؛ نمونه: ${isolate("+98912")} یا ${isolate("+98912-+98913")}.`,
  unknown_network: ({ value }) => `${isolate(value)} شبکه نیست.`,
  unknown_account: ({ value }) => `${isolate(value)} حساب نیست.`,
  overlapping_ranges: ({ value, other }) => `${isolate(value)} با ${isolate(other)} هم‌پوشانی دارد.`,
  same_targets: ({ first, second }) =>
    `مقصد ${number(first)} و ${number(second)} یک مسیر دارند: یکی بنویسید، با جمع وزن‌ها.`,
  send_window: ({ secondsMin, daysMax }) =>
    `زمان ارسال باید از ${number(secondsMin)} ثانیه تا ${number(daysMax)} روز دیگر باشد.`,
  inactive_sender: () => "فرستندهٔ فعال این حساب نیست.",
  not_mobile: ({ value }) => `${isolate(value)} شمارهٔ همراه نیست.`,
  country_not_allowed: ({ value }) => `${isolate(value)} از کشوری است که این حساب به آن نمی‌فرستد.`,
  required: () => "لازم است.",
  unknown_key: ({ meant }) =>
    meant === null ? "کلید شناخته‌شده‌ای نیست." : `کلید شناخته‌شده‌ای نیست؛ منظورتان ${isolate(meant)} بود؟`,
  key_text: () => "باید متن باشد.",
  key_length: ({ min, max }) => `باید از ${number(min)} تا ${number(max)} نویسه داشته باشد.`,
  key_choice: ({ words }) => `باید یکی از این‌ها باشد: ${words.map(isolate).join("، ")}.`,
  key_object: () => "باید یک شیء باشد.",
  key_numbers: ({ countMax, min, max }) =>
    `باید فهرستی از حداکثر ${number(countMax)} عدد صحیح باشد، هر یک از ${number(min)} تا ${number(max)}.`,
  printable_ascii: () => `تنها حرف‌های لاتین، رقم‌ها و نشانه‌های ${isolate("ASCII")} می‌گیرد.`,
  host_name: () => `نام میزبان یا نشانی ${isolate("IP")} بنویسید.`,
  price_prefix: ({ value }) =>
    `${isolate(value)} آغاز شماره نیست؛ نمونه: ${isolate("98912")}، و ${isolate("*")} برای همهٔ شماره‌ها.`,
  price_amount: ({ value, max }) => `${isolate(value)} قیمت نیست: عددی صحیح بنویسید از ۰ تا ${number(max)}.`,
  price_date: ({ value }) => `${isolate(value)} تاریخ نیست؛ نمونه: ${isolate("2026-12-01")}.`,
  price_day_over: ({ value }) =>
    `قیمت از ${isolate(value)} آغاز می‌شود که گذشته است: پیام‌های پس از آن قیمت خود را دارند.`,
  price_repeated: ({ value, line }) => `${isolate(value)} در سطر ${number(line)} از همان روز قیمت دارد.`,
  price_head: () => `سطر نخست باید نام ستون‌ها باشد: ${isolate("prefix,price")} یا ${isolate("prefix,price,from")}.`,
  no_prices: () => "در این فایل هیچ قیمتی نیست.",
  unreadable_csv: ({ reason }) => `از این سطر به بعد به‌صورت ${isolate("CSV")} خوانده نشد: ${isolate(reason)}.`,
};
