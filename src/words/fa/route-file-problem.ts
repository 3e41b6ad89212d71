/** Persian: problems with a single key of a route file, mirroring the English table. */
import type { ProblemTexts, ProblemValues } from "../../domain/operator-problem.ts";
import type { routeFileProblems, routeFileSentences } from "../../domain/route-file-problem.ts";
import { isolate } from "../isolate.ts";
import { numbersOf } from "../numbers.ts";

const number = (value: number) => numbersOf.fa.one.format(value);
const plain = (value: number) => numbersOf.fa.plain.format(value);
const names = (list: readonly string[]) => list.map(isolate).join("، ");
const braced = (name: string) => isolate(`{{${name}}}`);

const held: Readonly<Record<ProblemValues["entries_max"]["what"], string>> = {
  conditions: "شرط",
  fields: "فیلد",
  parameters: "پارامتر",
};

export const persianRouteFileProblems: Pick<
  ProblemTexts,
  keyof typeof routeFileProblems | keyof typeof routeFileSentences
> = {
  same_host: () => "همان میزبان نخست است؛ میزبان یا پورت دیگری بنویسید.",
  password_twice: () => `همراه با ${isolate("password")} نمی‌آید: یکی را بنویسید.`,
  password_unread: () => "خوانده نشد: خط فرمان آن را پیش از افزودن مسیر می‌خواند.",
  address_rules: ({ max }) => `باید فهرستی از حداکثر ${number(max)} قاعده باشد.`,
  equals_or_prefix: () => `باید یکی از ${isolate("equals")} و ${isolate("prefix")} را داشته باشد.`,
  entries_max: ({ max, what }) => `حداکثر ${number(max)} ${held[what]} می‌گیرد.`,
  tag_name: () => `نام آن باید برچسبی در مبنای شانزده باشد، مانند ${isolate("0x1400")}.`,
  tag_own: ({ name }) => `${isolate(name)} است که ${isolate("longMessages")} دربارهٔ آن تصمیم می‌گیرد.`,
  tag_of_smsc: ({ name }) => `${isolate(name)} است که تنها مرکز پیام (${isolate("SMSC")}) می‌فرستد.`,
  tags_passed: ({ max }) => `باید حداکثر ${number(max)} برچسب از ${isolate("0x1400")} تا ${isolate("0x3fff")} باشد.`,
  tag_of_standard: () => `برچسب استاندارد است: جای‌نگهدارها از برچسب ${isolate("0x1400")} به بعد می‌آیند.`,
  tag_value: () =>
    `باید متن باشد یا یکی از ${names(['{"hex"}', '{"cstring"}', '{"int8"}', '{"int16"}', '{"int32"}'])} با مقداری که در آن بگنجد.`,
  octets_max: ({ max }) => `حداکثر ${number(max)} بایت دارد.`,
  placeholder_of_tag: ({ name, known }) => `${braced(name)} را نمی‌شناسد؛ جای‌نگهدارها: ${names(known)}.`,
  unknown_placeholder: ({ name, meant }) =>
    meant === null
      ? `${braced(name)} این‌جا جای‌نگهدار نیست.`
      : `${braced(name)} این‌جا جای‌نگهدار نیست؛ منظورتان ${braced(meant)} بود؟`,
  secret_again: ({ changed }) =>
    `دوباره لازم است، چون ${names(changed)} تغییر کرده است: گذرواژه یا توکن ذخیره‌شده هرگز به مقصد دیگری فرستاده نمی‌شود. با ${isolate("null")} پاک می‌شود.`,
  required_beside: ({ key }) => `همراه با ${isolate(key)} لازم است.`,
  file_unreadable: ({ file, reason }) => `فایل ${isolate(file)} خوانده نمی‌شود: ${isolate(reason)}.`,
  file_without_certificate: ({ file }) => `در فایل ${isolate(file)} گواهی ${isolate("PEM")} نیست.`,
  certificate_damaged: ({ file }) => `یکی از گواهی‌های فایل ${isolate(file)} آسیب دیده است.`,
  client_certificate: ({ reason }) => `گواهی پیک برای این مسیر به کار نمی‌آید: ${isolate(reason.replace(/\.$/, ""))}.`,
  table_cells: () => `باید فهرستی از ۱۲۸ یا ۲۵۶ نویسه باشد: هر یک متنی یک‌نویسه‌ای، یا ${isolate("null")} برای هیچ.`,
  table_hole: ({ missing }) => `کامل نیست: برای این‌ها بایتی ندارد: ${names(missing)}.`,
  table_twice: ({ cell }) => `${isolate(cell)} را دو بار دارد.`,
  caller_addresses: ({ max }) =>
    `باید فهرستی از حداکثر ${number(max)} نشانی ${isolate("IP")} یا بازهٔ ${isolate("CIDR")} باشد.`,
  signature_place: () => `باید ${isolate("header")} یا ${isolate("field")} داشته باشد: جای امضا.`,
  signature_pieces: ({ max }) => `باید از ۱ تا ${number(max)} تکه داشته باشد.`,
  signature_piece: () =>
    `باید ${names(["body", "url", "sortedForm"])} باشد یا یکی از ${names(['{"header"}', '{"query"}', '{"form"}', '{"json"}'])}.`,
  method_without_body: () => `${isolate("GET")} است که بدنه ندارد.`,
  request_url: () =>
    `نشانی ${isolate("http")} یا ${isolate("https")} بنویسید، بی نام کاربر و ${isolate("#")}، با میزبانی بی جای‌نگهدار.`,
  base_url: () => `نشانی ${isolate("http")} یا ${isolate("https")} بنویسید، بی نام کاربر، پرس‌وجو و ${isolate("#")}.`,
  own_url: () => "لازم است: نشانی پایهٔ حساب شما.",
  callback_url: () =>
    `نشانی ${isolate("http")} یا ${isolate("https")} بنویسید، بی پرس‌وجو، ${isolate("#")} و نام کاربر.`,
  callback_secret_missing: () => "لازم است، وگرنه هر کسی می‌تواند فراخوانی بفرستد.",
  calls_of_route: ({ route }) =>
    `باید با مال مسیر ${isolate(route)} فرق کند، یا ${isolate("callbackUrl")} فرق کند: فراخوانی‌های این دو از هم شناخته نمی‌شود.`,
  callback_secret: () => `۱۶ حرف لاتین، رقم، ${isolate("-")} و ${isolate("_")} یا بیشتر بنویسید.`,
  header_text: ({ name }) =>
    `نباید ${isolate(`{{${name}}}`)} داشته باشد: متن شکست سطر و حرف‌هایی دارد که در سرآیند نمی‌گنجد؛ آن را در بدنه یا نشانی بگذارید.`,
  header_field: () => `باید نام یک سرآیند باشد، با مقداری از نویسه‌های چاپی ${isolate("ASCII")}.`,
  header_name: () => "باید نام یک سرآیند باشد.",
  media_type: () => `باید نوع رسانه باشد، مانند ${isolate("application/json")}.`,
  code_missing: () => `باید ${names(["{{code}}", "{{codeSpoken}}", "{{text}}"])} را در بر داشته باشد.`,
  for_channels: () => `تنها برای کانال‌هاست (${isolate('kind "channel"')}).`,
  kind_stays: () => "میان پیامک و کانال عوض نمی‌شود: مسیر دیگری بیفزایید.",
  messaging_service: () => `باید به شکل ${isolate("MG…")} باشد.`,
  kannel_smsc: () => `باید ${isolate("smsc-id")} در ${isolate("Kannel")} باشد.`,
  one_of_forms: ({ forms }) => `باید یکی از این‌ها باشد: ${names(forms)}.`,
  nested_too_deep: ({ max }) => `حداکثر ${number(max)} لایه تو در تو می‌گیرد.`,
  list_alone: ({ key }) => `${isolate(key)} باید در شیء خود تنها باشد، و نه در فهرست دیگری از همان گونه.`,
  list_missing: ({ key }) => `فهرستی در ${isolate("request.body")} می‌خواهد: ${isolate(`{"${key}": …}`)}.`,
  list_unread: ({ key }) => `لازم است، چون ${isolate("request.body")} ${isolate(key)} دارد.`,
  message_placeholder: () => `باید جای‌نگهدار یک پیام باشد، مانند ${braced("trackingCode")}.`,
  ids_for_questions: () => `لازم است، چون ${isolate("reportPoll")} با شناسه‌های ارائه‌دهنده می‌پرسد.`,
  asked_ids: () =>
    `باید شناسه‌هایی را داشته باشد که پرسیده می‌شود: ${braced("ids")}، ${isolate('{"{{each}}": "{{id}}"}')}، یا ${braced("id")} برای یکی.`,
  needed_by_request: ({ placeholder }) => `لازم است، چون درخواست ${braced(placeholder)} دارد.`,
  asked_lines: ({ max }) => `باید فهرستی از ۱ تا ${number(max)} شماره به‌صورت متن باشد.`,
  condition_empty: () => `باید ${isolate("status")}، ${isolate("body")} یا ${isolate("json")} داشته باشد.`,
  status_condition: () =>
    `باید کدی از ${plain(100)} تا ${plain(599)} باشد، یا دسته‌ای مانند ${isolate("2xx")}، یا فهرستی از آن‌ها.`,
  regular_expression: ({ reason }) => `باید عبارت باقاعده باشد: ${isolate(reason)}.`,
  key_pattern: ({ pattern }) => `باید به این شکل باشد: ${isolate(pattern)}.`,
  scalar_values: () => `باید متن، عدد، ${isolate("true")} یا ${isolate("false")} باشد، یا فهرستی از آن‌ها.`,
  id_rule: () => `باید ${isolate("trackingCode")} باشد یا یکی از ${names(['{"json"}', '{"body"}', '{"header"}'])}.`,
  field_rule: () => `باید نام یک فیلد باشد یا یکی از ${names(['{"query"}', '{"form"}', '{"json"}', '{"fixed"}'])}.`,
  carrier_words: () => "باید واژه‌ای از ارائه‌دهنده باشد، یا فهرستی از آن‌ها.",
  body_of_status: ({ status }) => `با کد ${plain(status)} باید خالی باشد.`,
  excludes_key: ({ key }) => `نمی‌تواند همراه با ${isolate(key)} بیاید.`,
  value_path: ({ path }) =>
    `${isolate(path)} نه مسیری در فراخوانی است، مانند ${isolate("user.phone")}، و نه متنی در ${isolate("'…'")}.`,
  charset: ({ value }) =>
    `${isolate(value)} نام یک کدگذاری نویسه نیست؛ نمونه‌ها: ${isolate("utf-8")} و ${isolate("windows-1256")}.`,
};
