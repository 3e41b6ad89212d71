/** What is wrong, in the reader's language. */
import {
  type AlertCoding,
  type ConditionCode,
  type ConditionValues,
  conditionWords,
} from "../../../conditions/conditions.ts";
import { sentenceOf } from "../../../domain/coded.ts";
import type { NoticeFailure } from "../../../domain/notice-failure.ts";
import type { NoticeAnswer } from "../../../operator/alerts.ts";
import { attemptMsMax } from "../../../webhooks/attempt.ts";
import { persianNoticeFailures } from "../../../words/fa/notice-failure.ts";
import { isolate } from "../../../words/isolate.ts";
import type { Locale } from "../../locale.ts";
import { toldText } from "../../page/message-reason.ts";
import { callFailureKind } from "../callbacks/callbacks.tsx";
import { callbacksWords } from "../callbacks/words.ts";
import { alertsWords } from "./words.ts";

/** The problem, without its full stop, and what to do. */
export function conditionTexts<Code extends ConditionCode>(
  coded: { code: Code; values: ConditionValues[Code] },
  { language, format }: Locale,
): ReturnType<typeof conditionWords> {
  const write = {
    number: (value: number) => format.number(value),
    percent: (share: number) => format.percent(share),
    bytes: (size: number) => format.bytes(size),
    duration: (ms: number) => format.duration(ms),
    moment: (at: number) => format.minute(at),
    name: language === "fa" ? isolate : (text: string) => text,
  };
  return conditionWords<Code>(coded, write, language);
}

/** Without its full stop. An alert stored by an older version is shown in English. */
export function alertSentence(alert: { words: string } & AlertCoding, locale: Locale): string {
  if (locale.language === "en") return alert.words;
  return alert.code === undefined ? isolate(alert.words) : conditionTexts(alert, locale).says;
}

export function alertTodo(alert: { todo: string } & AlertCoding, locale: Locale): string {
  if (locale.language === "en" || alert.code === undefined) return isolate(alert.todo);
  return conditionTexts(alert, locale).todo;
}

/** In Persian. */
export function noticeFailureSentence(failure: NoticeFailure, locale: Locale): string {
  const { language, format } = locale;
  const said = callbacksWords[language].failure;
  const texts = persianNoticeFailures({
    reason: (reason) => toldText(reason, locale).replace(/\.$/, ""),
    callback: (outcome) =>
      outcome === "timeout" ? said.timeout(format.duration(attemptMsMax)) : said[callFailureKind(outcome)],
    number: (value) => format.plain(value),
  });
  return sentenceOf(failure, texts);
}

export function noticeSentence({ title, leads, more, isOver }: NoticeAnswer, locale: Locale): string {
  if (locale.language === "en") return title;
  const { noticeTest, noticeOver, noticeMore } = alertsWords[locale.language];
  if (leads === null) return noticeTest;
  const sentence = alertSentence(leads, locale);
  const told = isOver ? noticeOver(sentence) : sentence;
  return more === 0 ? told : noticeMore(told, locale.format.count(more));
}
