/** Persian: why a message waits, failed or was retried, mirroring the English table. */

import type { CertificateAlert, ConnectionFault, ConnectionPeer } from "../../domain/connection-fault.ts";
import {
  type CarrierIdSource,
  type ListProblem,
  type ReasonTexts,
  type ReasonValues,
  type ReasonWriting,
  secondsOf,
  smppCode,
} from "../../domain/reason.ts";
import type { SuppressionSource } from "../../domain/suppression.ts";
import { isolate } from "../isolate.ts";

const address = ({ host, port }: ConnectionPeer) => isolate(`${host}:${port}`);
const unknownAuthority = () => "مرجع گواهی در فایل مرجع نیست";

export const persianConnectionFaults: Readonly<Record<ConnectionFault, (peer: ConnectionPeer) => string>> = {
  ENOTFOUND: ({ host }) => `نام ${isolate(host)} نشانی ندارد`,
  EAI_AGAIN: ({ host }) => `نشانی نام ${isolate(host)} پیدا نشد`,
  ECONNREFUSED: (peer) => `${address(peer)} اتصال را نمی‌پذیرد: چیزی آن‌جا گوش نمی‌دهد`,
  EHOSTUNREACH: ({ host }) => `${isolate(host)} در دسترس نیست`,
  ENETUNREACH: ({ host }) => `شبکهٔ ${isolate(host)} در دسترس نیست`,
  ETIMEDOUT: (peer) => `${address(peer)} پاسخ نداد`,
  CERT_HAS_EXPIRED: () => "مهلت گواهی گذشته است",
  CERT_NOT_YET_VALID: () => "زمان اعتبار گواهی هنوز نرسیده است",
  DEPTH_ZERO_SELF_SIGNED_CERT: () => "گواهی را خود صاحبش امضا کرده و فایل مرجع تنظیم نشده است",
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => "گواهی را مرجع شناخته‌شده‌ای امضا نکرده است؛ فایل مرجع آن را بنویسید",
  ERR_TLS_CERT_ALTNAME_INVALID: () => "گواهی برای نام دیگری است",
  ERR_SSL_WRONG_VERSION_NUMBER: (peer) => `${address(peer)} با ${isolate("TLS")} کار نمی‌کند`,
};

const refused = "طرف مقابل گواهی پیک را نمی‌پذیرد";

export const persianCertificateAlerts: Readonly<Record<CertificateAlert, string>> = {
  CERTIFICATE_REQUIRED: `طرف مقابل از پیک گواهی می‌خواهد: ${isolate("tls.certFile")} و ${isolate("tls.keyFile")}`,
  UNKNOWN_CA: "طرف مقابل مرجع گواهی پیک را نمی‌شناسد",
  CERTIFICATE_EXPIRED: "طرف مقابل می‌گوید مهلت گواهی پیک گذشته است",
  CERTIFICATE_REVOKED: "طرف مقابل می‌گوید گواهی پیک باطل شده است",
  BAD_CERTIFICATE: refused,
  CERTIFICATE_UNKNOWN: refused,
  UNSUPPORTED_CERTIFICATE: refused,
  ACCESS_DENIED: refused,
};

const peers = { smsc: "مرکز پیام", provider: "ارائه‌دهنده" } as const;

const suppressionSources: Readonly<Record<SuppressionSource, string>> = {
  operator: "به دست متصدی",
  import: "از فایل",
  keyword: "پیامک خود گیرنده",
};

/** The carrier's own text, after Peyk's words. */
const withWords = (words: string) => (words === "" ? "" : `: ${isolate(words)}`);
const status = ({ status: code, statusName }: Pick<ReasonValues["smpp_refused"], "status" | "statusName">) =>
  statusName === null
    ? `وضعیت ویژهٔ اپراتور (${isolate(smppCode(code))})`
    : isolate(`${statusName} (${smppCode(code)})`);
/** As in English: what the commonest codes mean. */
const refusedBinds: Readonly<Record<string, string>> = {
  ESME_RINVPASWD: "اپراتور گذرواژه را نمی‌پذیرد",
  ESME_RINVSYSID: "اپراتور شناسهٔ سامانه را نمی‌شناسد",
  ESME_RINVSYSTYP: "اپراتور گونهٔ سامانه را نمی‌پذیرد",
  ESME_RALYBND: "به گفتهٔ اپراتور این شناسه از پیش متصل است",
  ESME_RBINDFAIL: "اپراتور اتصال را نمی‌پذیرد",
};

const refusedMessages: Readonly<Record<string, string>> = {
  ESME_RTHROTTLED: "اپراتور آهستگی می‌خواهد",
  ESME_RMSGQFUL: "صف اپراتور پر است",
  ESME_RINVDSTADR: "اپراتور گیرنده را نمی‌پذیرد",
  ESME_RINVSRCADR: "اپراتور فرستنده را نمی‌پذیرد",
  ESME_RINVMSGLEN: "اپراتور طول متن را نمی‌پذیرد",
  ESME_RSUBMITFAIL: "اپراتور پیام را نمی‌پذیرد",
  ESME_RSYSERR: "اپراتور خطای داخلی دارد",
};

function plainly(
  sentences: Readonly<Record<string, string>>,
  { statusName }: Pick<ReasonValues["smpp_refused"], "statusName">,
  by = "",
): string | null {
  const sentence = statusName === null ? undefined : sentences[statusName];
  return sentence === undefined || statusName === null ? null : `${sentence} · ${by}${isolate(statusName)}`;
}

const routeList = (routes: readonly string[]) => routes.map(isolate).join("، ");

const pemFiles: Readonly<Record<ReasonValues["certificate_file_unreadable"]["which"], string>> = {
  authority: "مرجع گواهی",
  certificate: "گواهی",
  key: "کلید گواهی",
};

function listProblem(problem: ListProblem, number: ReasonWriting["number"]): string {
  switch (problem.kind) {
    case "no_json":
      return `متن آن ${isolate("JSON")} نیست`;
    case "no_list":
      return `در ${isolate(problem.at)} فهرستی نیست`;
    case "too_long":
      return `بیش از ${number(problem.max)} مورد در یک درخواست است`;
    case "too_many_fields":
      return `بیش از ${number(problem.max)} فیلد در یک درخواست است`;
    case "too_many_values":
      return `بیش از ${number(problem.max)} مقدار در یک درخواست است یا لایه‌های تودرتوی آن زیاد است`;
  }
}

function idSource(id: CarrierIdSource): string {
  switch (id.from) {
    case "trackingCode":
      return "کد رهگیری پیک";
    case "json":
      return `نشانی ${isolate(id.at)} در ${isolate("JSON")}`;
    case "header":
      return `سرآیند ${isolate(id.at)}`;
    case "body":
      return `الگوی ${isolate(id.at)}`;
  }
}

const percent = (share: number, number: ReasonWriting["number"]) => `${number(Math.round(share * 1_000) / 10)}٪`;

const shortfall = (
  { rate, limit, late }: { rate: number; limit: number; late?: number },
  number: ReasonWriting["number"],
) =>
  late === undefined
    ? `${percent(rate, number)} از پیام‌هایش را رساند، کمتر از ${percent(limit, number)}`
    : `${percent(late, number)} از رسیدهایش بیش از پنج دقیقه دیر رسید`;

export const persianReasons: ReasonTexts = {
  plain: ({ words }) => isolate(words),

  validity_ended: () => "مهلت آن تمام شد",
  stopped_unanswered: () => "پیک میان سپردن پیام و شنیدن پاسخ از کار ایستاد",
  accepted_late: ({ ids }) => `مسیر آن را با شناسهٔ ${isolate(ids.join(", "))} گرفت`,
  receipt: ({ part, words }, { number }) => `بخش ${number(part)}${withWords(words)}`,
  text_unreadable: ({ words }) => isolate(words),
  provider_threw: ({ words }) => `ارائه‌دهنده از کار افتاد: ${isolate(words)}`,

  resent_as: ({ trackingCode }) => `دوباره فرستاده شد با کد ${isolate(trackingCode)}`,
  resend_of: ({ trackingCode }) => `ارسال دوبارهٔ ${isolate(trackingCode)}`,

  key_revoked: ({ keyName }) => `کلید ${isolate(keyName)} باطل شد و آنچه از آن در انتظار بود لغو شد`,
  operator_cancelled: () => "متصدی آن را لغو کرد",

  suppressed: ({ list, source, detail, since }, { time }) =>
    `گیرنده از ${time(since)} در فهرست شماره‌های منع‌شدهٔ ${list === "all" ? "همهٔ حساب‌ها" : "این حساب"} است (${suppressionSources[source]}${withWords(detail)})`,

  waits_release: ({ since }, { time }) =>
    `نسخهٔ پشتیبانی در ${time(since)} بازگردانده شده است و تا فرمان ${isolate("peyk queue release")} چیزی فرستاده نمی‌شود`,
  waits_account_suspended: () => "حساب آن معلق است",
  waits_due: ({ at }, { time }) => `زمان ارسال آن ${time(at)} است`,
  waits_quiet_hours: ({ until }, { time }) => `تا ${time(until)} ساعت‌های سکوت حساب آن است`,
  waits_next_attempt: ({ at }, { time }) => `تلاش بعدی ${time(at)} است`,
  waits_no_route: () => "هیچ مسیر فعالی برای فرستندهٔ آن نیست",
  waits_no_rule: ({ plan }) => `هیچ قاعده‌ای از طرح ${isolate(plan)} آن را نمی‌گیرد و مسیر فعالی برای فرستندهٔ آن نیست`,
  waits_no_route_of_target: ({ plan }) => `هیچ مسیر فعالی در مقصد آن در طرح ${isolate(plan)} نیست`,
  waits_routes_down: ({ routes, since }, { time }) =>
    routes.length === 1
      ? `مسیر ${routeList(routes)} از ${time(since)} قطع است`
      : `مسیرهای ${routeList(routes)} از ${time(since)} قطع‌اند`,
  waits_routes_drain: ({ routes }) =>
    `${routes.length === 1 ? "مسیر" : "مسیرهای"} ${routeList(routes)} تا فرمان ${isolate(`peyk route undrain ${routes[0]}`)} چیزی نمی‌گیرد`,
  waits_window_full: ({ route, unanswered }, { number }) =>
    `پنجرهٔ مسیر ${isolate(route)} پر است: ${number(unanswered)} بخش بی‌پاسخ`,
  waits_rate: ({ route, partsPerSecond }, { number }) =>
    partsPerSecond === null
      ? `مسیر ${isolate(route)} به درخواست اپراتور درنگ می‌کند`
      : `مسیر ${isolate(route)} اکنون بیش از ${number(Math.round(partsPerSecond * 10) / 10)} بخش در ثانیه نمی‌فرستد`,
  waits_turn: ({ route }) => `نوبت آن در مسیر ${isolate(route)} می‌رسد`,

  no_answer: ({ peer, afterMs }, { number }) => `${peers[peer]} در ${number(secondsOf(afterMs))} ثانیه پاسخ نداد`,
  link_lost: ({ cause }, write) => `اتصال پیش از پاسخ مرکز پیام قطع شد: ${write.cause(cause)}`,
  partly_accepted: ({ accepted, parts, cause }, write) =>
    `${write.cause(cause)}؛ ${write.number(accepted)} از ${write.number(parts)} بخش پذیرفته شد`,
  other_part_refused: () => "بخش دیگری از پیام پذیرفته نشد",
  route_stopped: () => "مسیر از کار ایستاد",
  route_drains: () => "متصدی مسیر را تخلیه کرد",
  connection_closed: () => "طرف مقابل اتصال را بست",
  connection_failed: ({ words }) => isolate(words),
  certificate_refused: ({ alert }) => persianCertificateAlerts[alert],
  certificate_file_unreadable: ({ which, file, words }) =>
    `فایل ${pemFiles[which]} (${isolate(file)}) خوانده نمی‌شود: ${isolate(words)}`,
  not_connected: ({ fault, words, ...peer }) => `${persianConnectionFaults[fault](peer)} (${isolate(words)})`,
  connect_timeout: ({ host, port, afterMs }, { number }) =>
    `${isolate(`${host}:${port}`)} در ${number(secondsOf(afterMs))} ثانیه اتصال را نپذیرفت`,
  tls_timeout: ({ host, port, afterMs }, { number }) =>
    `${isolate(`${host}:${port}`)} اتصال را پذیرفت، اما در ${number(secondsOf(afterMs))} ثانیه به ${isolate("TLS")} نرسید؛ آیا آن‌جا ${isolate("TLS")} است؟`,

  smpp_refused: (values) => plainly(refusedMessages, values) ?? `مرکز پیام نپذیرفت: ${status(values)}`,
  smpp_nack: (values) => `مرکز پیام با ${isolate("generic_nack")} پاسخ داد: ${status(values)}`,
  smpp_no_bind: () => "هیچ اتصال مسیر برقرار نیست",
  smpp_sender_invalid: () => "فرستنده برای این پروتکل باید ۱ تا ۲۰ نویسهٔ لاتین باشد",
  smpp_recipient_invalid: () => "گیرنده برای این پروتکل باید ۱ تا ۲۰ رقم باشد",
  not_in_gsm_alphabet: ({ index }, { number }) => `نویسهٔ شمارهٔ ${number(index)} در الفبای ۷بیتی نیست`,
  bind_refused: ({ command, ...values }) => {
    const by = command === null ? "" : `${isolate(command)}، `;
    return plainly(refusedBinds, values, by) ?? `مرکز پیام اتصال را نپذیرفت: ${by}${status(values)}`;
  },
  bind_unanswered: () => "مرکز پیام به درخواست اتصال پاسخ نداد",
  smsc_unbound: () => "مرکز پیام اتصال را پایان داد",
  unbind_unanswered: () => "مرکز پیام به پایان اتصال پاسخ نداد",
  unbound: () => "اتصال پایان یافت",
  client_unbound: () => "برنامه خود اتصال را پایان داد",
  client_silent: () => "برنامه به پرسش زنده بودن پاسخ نداد",
  client_acknowledged_nothing: () => "برنامه چیزی را به‌موقع تأیید نکرد",
  client_pdu_invalid: () => "برنامه بسته‌ای با درازای نادرست فرستاد",
  client_key_ended: () => "شناسهٔ ورود یا کلیدش دیگر اعتبار ندارد",
  client_address_refused: () => "کلید دیگر برای نشانی برنامه نیست",
  bind_replaced: () => "اتصال دیگری جایش را گرفت، چون پاسخ نمی‌داد",
  link_not_bound: () => "مرکز پیام می‌گوید این اتصال برقرار نیست",
  submits_unanswered: ({ seconds }, { number }) => `مرکز پیام ${number(seconds)} ثانیه به هیچ ارسالی پاسخ نداد`,
  enquire_link_unanswered: () => `مرکز پیام به هیچ‌یک از دو ${isolate("enquire_link")} پاسخ نداد`,
  pdu_length_invalid: ({ octets, octetsMin, octetsMax }, { number }) =>
    `طرف مقابل بسته‌ای با ${number(octets)} بایت اعلام کرد؛ تنها ${number(octetsMin)} تا ${number(octetsMax)} ممکن است`,

  http_answered: ({ status: code, words }, { number }) => `ارائه‌دهنده پاسخ ${number(code)} داد${withWords(words)}`,
  http_unmatched: ({ status: code, words }, { number }) =>
    `ارائه‌دهنده پاسخ ${number(code)} داد که در هیچ قاعدهٔ فایل مسیر نیست${withWords(words)}`,
  http_not_listed: ({ answers, messages }, { number }) =>
    `ارائه‌دهنده برای ${number(answers)} از ${number(messages)} پیام یک درخواست پاسخ داد و معلوم نیست کدام`,
  http_answer_unreadable: ({ problem }, { number }) => `پاسخ خوانده نمی‌شود: ${listProblem(problem, number)}`,
  http_rests: ({ cause }, write) => `${write.cause(cause)}؛ مسیر کمی صبر می‌کند و سپس با یک پیام آزموده می‌شود`,
  http_unreachable: ({ error }) => `به ارائه‌دهنده دسترسی نبود (${isolate(error)})`,
  http_connection_lost: ({ error }) => `اتصال پیش از پاسخ قطع شد${error === "" ? "" : ` (${isolate(error)})`}`,
  http_route_not_up: ({ state }) => `وضعیت مسیر: ${isolate(state)}`,
  http_ca_file_unreadable: ({ words }) => `فایل مرجع گواهی خوانده نمی‌شود: ${isolate(words)}`,
  http_request_failed: ({ words }) => isolate(words),

  receipts_without_id: ({ messages, rule, id }, { number }) =>
    `ارائه‌دهنده ${messages === 1 ? "آخرین پیام" : `${number(messages)} پیام آخر`} را بی‌شناسه پذیرفت: ${isolate(`${rule}.id`)} به ${idSource(id)} اشاره می‌کند و در پاسخ‌ها چیزی آن‌جا نیست. رسیدها به پیام‌ها نمی‌خورند.`,
  bound_to_second_host: ({ bind, host, port }) =>
    `${isolate(bind)} به میزبان دوم (${isolate(`${host}:${port}`)}) متصل است: میزبان نخست آن را نمی‌پذیرد.`,
  queries_unknown: () =>
    `مرکز پیام ${isolate("query_sm")} را نمی‌شناسد، پس از رسیدهای نیامده پرسیده نمی‌شود. ${isolate("queryAfterMinutes")} را بردارید.`,
  queries_refused: ({ queries, cause }, write) =>
    `هیچ‌یک از ${write.number(queries)} پرسش آخر (${isolate("query_sm")}) وضعیت پیام را نگفت: ${write.cause(cause)}.`,
  passed_over: ({ since, until, ...why }, { number, time }) =>
    `${shortfall(why, number)}: از ${time(since)} پیام‌ها از مسیر بعدی فرستنده می‌رود و در ${time(until)} دوباره آزموده می‌شود.`,
  passed_over_trial: ({ since, ...why }, { number, time }) =>
    `${shortfall(why, number)}: از ${time(since)} با یکی از هر ده پیام آزموده می‌شود.`,

  simulated_throttling: () => "شبیه‌سازی: بیش از اندازه تند",
  simulated_refusal: () => "شبیه‌سازی: هنگام سپردن پذیرفته نشد",
  simulated_temporary_refusal: ({ refusal, refusals }, { number }) =>
    `شبیه‌سازی: سرگرم، نپذیرفتن ${number(refusal)} از ${number(refusals)}`,
  simulated_silence: () => "شبیه‌سازی: بی‌پاسخ به سپردن",
  simulator_stopped: () => "شبیه‌ساز ایستاده است",

  test_bound: ({ mode, systemId }) => `با نام ${isolate(systemId)} وصل شد (${isolate(mode)})`,
  test_certificate_good: () => "گواهی درست است",
  test_credentials_taken: () => "ارائه‌دهنده نام و گذرواژه را می‌پذیرد",
  test_credentials_untried: () =>
    `نام و گذرواژه آزموده نشد: فایل مسیر درخواستی ندارد که بی‌فرستادن پیام بیازماید (${isolate("probe")})`,
  test_accepted: ({ ids }) =>
    `اپراتور آن را گرفت، با شناسهٔ ${ids.map((id) => (id === null ? "ناگفته" : isolate(id))).join("، ")}`,
  test_simulated: () => "این مسیر تنها شبیه‌سازی می‌کند: هیچ پیامی از پیک بیرون نمی‌رود",
};
