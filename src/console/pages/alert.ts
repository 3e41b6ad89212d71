/** What is wrong, in the reader's language. */
import { type AlertCoding, alertText } from "../../domain/alert-text.ts";
import { type NoticeFailure, noticeFailureText } from "../../domain/notice-failure.ts";
import type { AlertAnswer, NoticeAnswer } from "../../operator/alerts.ts";
import { attemptMsMax } from "../../webhooks/attempt.ts";
import type { Locale } from "../locale.ts";
import { persianAlerts, persianTodos } from "../words/fa/alert.ts";
import { persianNoticeFailures } from "../words/fa/notice-failure.ts";
import { isolate } from "../words/isolate.ts";
import { callFailureKind } from "./callbacks.tsx";
import { toldText } from "./reason.ts";

/** Without its full stop. An alert that an older version has stored is said in English. */
export function alertSentence(alert: { words: string } & AlertCoding, locale: Locale): string {
  const { language, format } = locale;
  if (language === "en") return alert.words;
  if (alert.code === undefined) return isolate(alert.words);
  return alertText(alert, persianAlerts, {
    number: (value) => format.number(value),
    percent: (share) => format.percent(share),
    bytes: (size) => format.bytes(size),
    time: (ms) => format.duration(ms),
  });
}

export function alertTodo({ code, values, todo }: AlertAnswer, { language }: Locale): string {
  const words = language === "fa" && code !== undefined ? persianTodos[code] : undefined;
  // A command alone needs no words.
  return words === undefined ? isolate(todo) : words(values ?? {});
}

/** In Persian. */
export function noticeFailureSentence(failure: NoticeFailure, locale: Locale): string {
  const { words, format } = locale;
  const said = words.callbacks.failure;
  const texts = persianNoticeFailures({
    reason: (reason) => toldText(reason, locale).replace(/\.$/, ""),
    callback: (outcome) =>
      outcome === "timeout" ? said.timeout(format.duration(attemptMsMax)) : said[callFailureKind(outcome)],
    number: (value) => format.plain(value),
  });
  return noticeFailureText(failure, texts);
}

export function noticeSentence({ title, leads, more, isOver }: NoticeAnswer, locale: Locale): string {
  if (locale.language === "en") return title;
  const { noticeTest, noticeOver, noticeMore } = locale.words.alerts;
  if (leads === null) return noticeTest;
  const sentence = alertSentence(leads, locale);
  const told = isOver ? noticeOver(sentence) : sentence;
  return more === 0 ? told : noticeMore(told, locale.format.count(more));
}
