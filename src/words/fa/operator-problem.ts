/** Persian: problems with a form's fields, mirroring the English table. */
import type { ProblemTexts, ProblemValues } from "../../domain/operator-problem.ts";
import { isolate } from "../isolate.ts";
import { numbersOf } from "../numbers.ts";
import { persianRouteFileProblems } from "./route-file-problem.ts";

const number = (value: number) => numbersOf.fa.one.format(value);

const names = (list: readonly string[]) => list.map(isolate).join("، ");

function between({ min, max }: ProblemValues["number"]): string {
  if (max === null) return min === null ? "" : ` از ${number(min)} به بالا`;
  return min === null ? ` حداکثر ${number(max)}` : ` از ${number(min)} تا ${number(max)}`;
}

/** A minimum of zero is not worth stating. */
const counted = ({ min, max }: ProblemValues["text"]) => between({ min: min === 0 ? null : min, max });

const webhookUrls: Readonly<Record<ProblemValues["webhook_url"]["reason"], string>> = {
  too_long: "نشانی حداکثر ۲٬۰۴۸ نویسه دارد.",
  forbidden_character: "نشانی نباید فاصله، نویسهٔ کنترلی یا ممیز وارونه داشته باشد.",
  not_https: `نشانی باید با ${isolate("https://")} و نام میزبان آغاز شود.`,
  user_info: "نشانی نباید نام کاربری یا گذرواژه داشته باشد.",
  fragment: `نشانی نباید ${isolate("#")} داشته باشد.`,
  port: "تنها درگاه ۴۴۳ پذیرفته است.",
  malformed_host: "نام میزبان درست نوشته نشده است.",
  single_label: "نام میزبان باید کامل باشد.",
  special_name: "نام میزبان عمومی نیست.",
  not_public: "نام میزبان باید تنها به نشانی‌های عمومی برسد.",
};

export const persianProblems: ProblemTexts = {
  ...persianRouteFileProblems,
  text: (range) => (counted(range) === "" ? "متنی بنویسید." : `متنی بنویسید،${counted(range)} نویسه.`),
  line: (range) => `متنی یک‌خطی بنویسید،${counted(range)} نویسه.`,
  whole_number: (range) => `عددی صحیح بنویسید${between(range)}.`,
  number: (range) => `عددی بنویسید${between(range)}.`,
  list: (range) => {
    if (range.max === null && range.min !== null) return `دست‌کم ${number(range.min)} مورد لازم است.`;
    return counted(range) === "" ? "فهرستی بنویسید." : `فهرستی بنویسید،${counted(range)} مورد.`;
  },
  choice: ({ words }) => `یکی از این‌ها را برگزینید: ${names(words)}.`,
  yes_or_no: () => "بله یا نه.",
  json_object: () => `باید یک شیء ${isolate("JSON")} باشد.`,
  sender: () => "۵ تا ۲۰ حرف لاتین، رقم و نشانه بنویسید، بی‌فاصله در آغاز و پایان.",
  country: () => `کد دوحرفی کشور را بنویسید، مانند ${isolate("IR")}.`,
  countries: () => `کدهای دوحرفی کشورها را بنویسید، هر یک یک بار، مانند ${isolate("IR")}.`,
  short_name: () => "۱ تا ۶۳ حرف لاتین، رقم، نقطه و خط بنویسید که با حرف یا رقم آغاز شود.",
  short_password: ({ min }) =>
    `کمتر از ${number(min)} نویسه دارد؛ چنین گذرواژه‌ای فقط برای کلیدی پذیرفته است که به نشانی‌هایی محدود باشد.`,
  not_for_kind: ({ kind }) => `برای شناسهٔ ورودی از نوع ${isolate(kind)} نیست.`,
  origin: ({ value }) => `${isolate(value)} مبدأ نیست؛ نمونه: ${isolate("http://10.0.0.5:8000")}.`,
  own_path: ({ value }) => `${isolate(value)} مسیری مانند ${isolate("/sms/send")} نیست، یا از آنِ سرویس دیگری است.`,
  origin_refused: ({ value }) =>
    `${isolate(value)} هرگز فراخوانده نمی‌شود: نشانی پیوند محلی یا فرادادهٔ ابر است، میزبان نیست، یا در ${isolate("webhooks.deny_cidrs")} آمده است.`,
  system_id: () => "۱ تا ۱۵ حرف لاتین، رقم یا نشانه بنویسید، بدون فاصله.",
  user_name: () => `۲ تا ۶۴ حرف کوچک لاتین، رقم و ${isolate(". _ @ + -")} بنویسید که با حرف یا رقم آغاز شود.`,
  time: () => "زمانی کامل با اختلاف ساعت بنویسید.",
  mobile_number: () => "شمارهٔ همراه نیست.",
  address: () => "شماره‌ای بنویسید، حداکثر ۴۰ نویسه.",
  time_zone: ({ value }) => `${isolate(value)} منطقهٔ زمانی نیست؛ نمونه: ${isolate("Asia/Tehran")}.`,
  quiet_window: ({ value }) =>
    `${isolate(value)} بازه نیست؛ نمونه: ${isolate("22:00-08:00")} یا ${isolate("13:00-16:00 Thu Fri")}.`,
  quiet_hours_full: () => "هیچ زمانی از هفته برای ارسال نمی‌گذارد.",
  nothing_to_change: () => "چیزی برای تغییر نیست.",
  rule_does_nothing: () => "قاعده باید پاسخ، گروه، شماره، نشانی ایمیل یا برنامه‌ای داشته باشد.",
  rule_word: ({ max }) => `هر واژه باید حرف یا رقمی داشته باشد، و حداکثر ${number(max)} نویسه.`,
  rule_pattern: ({ value }) =>
    `${isolate(value)} به الگو می‌ماند. قاعده واژه‌ها را بی نشانه‌هایشان می‌سنجد و الگویی اجرا نمی‌کند: خود واژه‌ها را بنویسید.`,
  rule_any_words: () => "برای قاعده‌ای که هر متنی را می‌گیرد باید خالی باشد.",
  own_line: ({ value }) => `${isolate(value)} یکی از خط‌های همین‌جاست و قاعده‌ها به آن نمی‌فرستند.`,
  mail_not_confirmed: ({ value }) => `${isolate(value)} نشانی‌ای نیست که کسی از حساب آن را تأیید کرده باشد.`,
  unknown_country: ({ value }) => `${isolate(value)} کد دوحرفی هیچ کشوری نیست؛ نمونهٔ درست: ${isolate("IR")}.`,
  unknown_range: ({ value }) =>
    `${isolate(value)} بازه نیست؛ نمونه: ${isolate("+98912")} یا ${isolate("+98912-+98913")}.`,
  unknown_network: ({ value }) => `${isolate(value)} شبکه نیست.`,
  unknown_account: ({ value }) => `${isolate(value)} حساب نیست.`,
  overlapping_ranges: ({ value, other }) => `${isolate(value)} با ${isolate(other)} هم‌پوشانی دارد.`,
  same_targets: ({ first, second }) =>
    `مقصد ${number(first)} و ${number(second)} یک مسیر دارند: یکی بنویسید، با جمع وزن‌ها.`,
  send_window: ({ secondsMin, daysMax }) =>
    `زمان ارسال باید از ${number(secondsMin)} ثانیه تا ${number(daysMax)} روز دیگر باشد.`,
  not_usable: ({ what }) =>
    what === "group" ? "گروه تأییدشده و دارای عضو این حساب نیست." : "الگوی تأییدشدهٔ این حساب برای رمز یک‌بارمصرف نیست.",
  inactive_sender: () => "فرستندهٔ فعال این حساب نیست.",
  not_mobile: ({ value }) => `${isolate(value)} شمارهٔ همراه نیست.`,
  country_not_allowed: ({ value }) => `${isolate(value)} از کشوری است که این حساب به آن نمی‌فرستد.`,
  required: () => "لازم است.",
  unknown_key: ({ meant }) =>
    meant === null ? "کلید شناخته‌شده‌ای نیست." : `کلید شناخته‌شده‌ای نیست؛ منظورتان ${isolate(meant)} بود؟`,
  key_text: () => "باید متن باشد.",
  key_length: ({ min, max }) => `باید از ${number(min)} تا ${number(max)} نویسه داشته باشد.`,
  key_choice: ({ words }) => `باید یکی از این‌ها باشد: ${names(words)}.`,
  key_object: () => "باید یک شیء باشد.",
  key_numbers: ({ countMax, min, max }) =>
    `باید فهرستی از حداکثر ${number(countMax)} عدد صحیح باشد، هر یک از ${number(min)} تا ${number(max)}.`,
  printable_ascii: () => `تنها حرف‌های لاتین، رقم‌ها و نشانه‌های ${isolate("ASCII")} می‌گیرد.`,
  host_port: () => `نام میزبان و درگاه را بنویسید، مانند ${isolate("mail.example.com:587")}.`,
  mail_address: () => `یک نشانی ایمیل بنویسید، مانند ${isolate("ops@example.com")}.`,
  host_name: () => `نام میزبان یا نشانی ${isolate("IP")} بنویسید.`,
  price_prefix: ({ value }) =>
    `${isolate(value)} آغاز شماره نیست؛ نمونه: ${isolate("98912")}، و ${isolate("*")} برای همهٔ شماره‌ها.`,
  price_amount: ({ value, max }) => `${isolate(value)} قیمت نیست: عددی صحیح بنویسید از ۰ تا ${number(max)}.`,
  price_date: ({ value }) =>
    `${isolate(value)} تاریخ نیست؛ نمونه: ${isolate("2026-12-01")} یا ${isolate("1405-09-10")}.`,
  price_day_over: ({ value }) =>
    `قیمت از ${isolate(value)} آغاز می‌شود که گذشته است: پیام‌های پس از آن قیمت خود را دارند.`,
  price_repeated: ({ value, line }) => `${isolate(value)} در سطر ${number(line)} از همان روز قیمت دارد.`,
  price_head: () => `سطر نخست باید نام ستون‌ها باشد: ${isolate("prefix,price")} یا ${isolate("prefix,price,from")}.`,
  no_prices: () => "در این فایل هیچ قیمتی نیست.",
  latin_word: ({ max }) => `۱ تا ${number(max)} حرف لاتین، رقم و نشانه بنویسید، بی‌فاصله.`,
  ascii_word: ({ max }) => `۱ تا ${number(max)} حرف لاتین، رقم و نشانه بنویسید، بی‌فاصله.`,
  control_characters: () => "نویسهٔ کنترلی دارد.",
  empty_file: () => "فایل خالی است.",
  month: ({ value }) => `${isolate(value)} ماه نیست؛ نمونه: ${isolate("2026-11")} یا ${isolate("1405-08")}.`,
  not_zero: () => "صفر نمی‌تواند باشد.",
  token_days: ({ days }) => `حداکثر ${number(days)} روز دیگر می‌تواند باشد.`,
  unknown_operation: ({ value }) => `کاری به نام ${isolate(value)} نیست.`,
  in_future: () => "باید در آینده باشد.",
  address_ranges: ({ wrong }) =>
    `نشانی ${isolate("IP")} یا بازهٔ ${isolate("CIDR")} بنویسید، مانند ${isolate("203.0.113.0/24")}؛ این‌ها نیست: ${names(wrong)}.`,
  customer_account: () => "تنها برای نقش مشتری است و برای آن لازم است.",
  needs_account: () => "نخست حساب را برگزینید.",
  search_number: () => "شمارهٔ همراه نیست، و چهار رقم پایانی یا بیشترِ آن هم نیست.",
  digits: () => "شماره نیست.",
  number_not_mobile: ({ value }) => `${isolate(value)} شمارهٔ همراه نیست.`,
  line_number: ({ value }) => `${isolate(value)} شماره‌ای نیست که بتوان به آن پیام فرستاد.`,
  plan_rules: ({ max }) => `هر طرح حداکثر ${number(max)} قاعده دارد.`,
  plan_ranges: ({ max }) => `هر طرح حداکثر ${number(max)} بازه دارد؛ آن‌ها را به‌صورت شبکه وارد کنید.`,
  no_sender_of_route: () => "لازم است: هیچ فرستنده‌ای از این مسیر نمی‌رود.",
  receive_only_route: ({ route }) => `مسیر ${isolate(route)} تنها دریافت می‌کند (${isolate('bind "receiver"')}).`,
  channel_route: ({ route }) => `مسیر ${isolate(route)} کانال است: تنها گام‌های بعدی رمزهای یک‌بارمصرف از آن می‌روند.`,
  no_channel: ({ route }) => `مسیر ${isolate(route)} کانال نیست.`,
  sender_too_long: ({ sender, route, key }) =>
    `${isolate(sender)} برای مسیر ${isolate(route)} بلند است، که حرف‌های کمتری می‌پذیرد (${isolate(key)}).`,
  senders_use_route: ({ senders, more }) =>
    `فرستنده‌هایی از این مسیر می‌روند: ${names(senders)}${more === 0 ? "" : ` و ${number(more)} فرستندهٔ دیگر`}. نخست مسیر دیگری به آن‌ها بدهید، یا این مسیر را خاموش کنید.`,
  routes_for_waiting: () => "لازم است: پیام‌هایی از این فرستنده از پیش از حذف آن در انتظارند و نباید به شبیه‌ساز بروند.",
  senders_longer: ({ senders }) => `کمتر از طول این فرستنده‌های مسیر است: ${names(senders)}.`,
  text_length: ({ min, max, length }) =>
    `باید از ${number(min)} تا ${number(max)} نویسه داشته باشد و ${number(length)} نویسه دارد.`,
  text_unclean: () => "نویسهٔ کنترلی یا نیمی از یک نویسه دارد.",
  variable_name: ({ name }) => `${isolate(`{{${name}}}`)} متغیر نیست: نام متغیر از حرف، رقم و خط زیر ساخته می‌شود.`,
  variable_unknown: ({ name }) => `متن متغیر ${isolate(`{{${name}}}`)} ندارد.`,
  variable_length: ({ name, max }) => `برای ${isolate(name)} عددی صحیح بنویسید از ۱ تا ${number(max)}.`,
  quota_exceeded: ({ subject, period, partsMax, left, parts }) =>
    `سقف این ${subject === "account" ? "حساب" : "کلید"} در ${period === "day" ? "روز" : "ماه"} ${number(partsMax)} بخش است؛ ${left === 0 ? "چیزی از آن نمانده" : `${number(left)} بخش مانده`} و این ارسال ${number(parts)} بخش دارد.`,
  balance_exhausted: () => "ماندهٔ حساب برای این ارسال کافی نیست.",
  account_suspended: () => "حساب معلق است.",
  callback_destination: ({ reason }) =>
    `${isolate(reason)}؛ نشانی خصوصی یا ${isolate("HTTP")} ساده را با ${isolate("--callback-origin")} مجاز کنید.`,
  webhook_url: ({ reason }) => webhookUrls[reason],
  signing_secret_again: ({ id }) =>
    `امضا را بررسی می‌کند، اما از رمز ${isolate(id)} تنها درهم‌سازی‌اش نگه داشته شده است: با این قالب شناسهٔ ورود تازه‌ای بسازید.`,
  idempotency_key_conflict: () => "این فرم پیش‌تر با چیز دیگری فرستاده شده است؛ صفحهٔ ارسال را دوباره باز کنید.",
  unreadable_csv: ({ reason }) => `از این سطر به بعد به‌صورت ${isolate("CSV")} خوانده نشد: ${isolate(reason)}.`,
  not_allowed: () => "پذیرفته نیست.",
  above_limit: ({ max }) => `حداکثر ${number(max)}: این حد را ارائه‌دهندهٔ شما گذاشته است.`,
  outside_permissions: ({ words }) => `تنها ${names(words)}: ارائه‌دهندهٔ شما اجازهٔ دیگری به این کلید نداده است.`,
  outside_ranges: ({ ranges }) => `تنها از ${names(ranges)} یا بخشی از آن: این حد را ارائه‌دهندهٔ شما گذاشته است.`,
  after_limit: ({ at }) =>
    `کلید حداکثر تا ${isolate(at.replace("T", " ").replace(".000Z", " UTC"))} می‌ماند: این حد را ارائه‌دهندهٔ شما گذاشته است.`,
  cursor: () => "ادامهٔ هیچ فهرستی نیست.",
  csv_columns: ({ words }) => `این‌ها را با ویرگول می‌گیرد: ${names(words)}.`,
  csv_too_large: ({ megabytes }) => `باید ${isolate("CSV")} باشد، حداکثر ${number(megabytes)} مگابایت.`,
  asks_otherwise: ({ key }) => `فهرست دیگری جز ${isolate(key)} می‌خواهد.`,
  no_default_sender: () => "لازم است: حساب فرستندهٔ پیش‌فرض ندارد.",
  either_key: ({ first, second, with: beside }) =>
    beside === null
      ? `یکی از ${isolate(first)} و ${isolate(second)} را می‌گیرد.`
      : `یا ${isolate(first)} را می‌گیرد، یا ${isolate(second)} را همراه با ${isolate(beside)}.`,
  printable_ascii_length: ({ max }) => `۱ تا ${number(max)} حرف لاتین، رقم یا نشانه بنویسید.`,
  route_kind: ({ kind }) => `این نسخه مسیر نوع ${isolate(kind)} ندارد.`,
  csv_header: ({ columns }) => `باید نام ستون‌ها باشد: ${isolate(columns.join(","))}.`,
  too_many_ranges: ({ max }) => `از ${number(max)} بازه بیشتر می‌شود.`,
  too_many_networks: ({ max }) => `از ${number(max)} شبکه بیشتر می‌شود.`,
  network_name: ({ max }) => `نام شبکه ۱ تا ${number(max)} نویسه دارد، بدون ویرگول.`,
  network_encoding: () => `نام شبکه با ${isolate("UTF-8")} نوشته نشده است.`,
  range_of_other: ({ value, other, owner }) =>
    `${isolate(value)} با ${isolate(other)} از شبکهٔ ${isolate(owner)} هم‌پوشانی دارد.`,
  range_of_line: ({ value, other, line }) =>
    `${isolate(value)} با ${isolate(other)} در سطر ${number(line)} هم‌پوشانی دارد.`,
};
