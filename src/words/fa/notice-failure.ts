/** Persian: why a notice of an alert did not arrive, mirroring the English table. */
import type { NoticeFailureTexts } from "../../domain/notice-failure.ts";
import type { Reason } from "../../domain/reason.ts";
import { isolate } from "../isolate.ts";

/** Sentences from other tables. */
interface NoticeFailureWriting {
  reason(reason: Reason): string;
  /** The outcome of a call to a webhook. */
  callback(failure: string): string;
  number(value: number): string;
}

export const persianNoticeFailures = ({
  reason: told,
  callback,
  number,
}: NoticeFailureWriting): NoticeFailureTexts => ({
  channel_off: () => "این راه دیگر در تنظیمات نیست",
  no_route: () => "مسیری بی‌هشدار نیست که آن را بفرستد",
  not_taken: ({ refusals }) =>
    refusals
      .map(({ route, reason }) => `${isolate(route)}: ${reason === null ? "مسیر خاموش است" : told(reason)}`)
      .join("؛ "),
  not_called: ({ failure, status, detail }) =>
    [status === null ? callback(failure) : `پاسخ ${number(status)} داد`, detail === "" ? "" : isolate(detail)]
      .filter(Boolean)
      .join(": "),
  secret_file_unusable: ({ words }) => `فایل رمز به کار نمی‌آید: ${isolate(words)}`,
  as_told: ({ words }) => isolate(words),
});
