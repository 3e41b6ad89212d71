/** Persian: what is wrong with a field of a form, as the domain's English table says it. */
import type { ProblemTexts, ProblemValues } from "../../../domain/operator-problem.ts";
import { numbersOf } from "../../format/numbers.ts";
import { isolate } from "../isolate.ts";

const number = (value: number) => numbersOf.fa.one.format(value);

function between({ min, max }: ProblemValues["text"]): string {
  if (max === null) return min === null ? "" : ` از ${number(min)} به بالا`;
  return min === null || min === 0 ? ` حداکثر ${number(max)}` : ` از ${number(min)} تا ${number(max)}`;
}

export const persianProblems: ProblemTexts = {
  text: (range) => (between(range) === "" ? "متنی بنویسید." : `متنی بنویسید،${between(range)} نویسه.`),
  line: (range) => `متنی یک‌خطی بنویسید،${between(range)} نویسه.`,
  whole_number: (range) => `عددی صحیح بنویسید${between(range)}.`,
  number: (range) => `عددی بنویسید${between(range)}.`,
  list: (range) => {
    if (range.max === null && range.min !== null) return `دست‌کم ${number(range.min)} مورد لازم است.`;
    return between(range) === "" ? "فهرستی بنویسید." : `فهرستی بنویسید،${between(range)} مورد.`;
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
};
