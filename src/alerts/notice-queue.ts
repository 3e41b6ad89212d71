/** Notices in delivery: each channel is retried for a day, and the newest completed ones are kept. */
import type { AlertChannelName } from "../domain/alert-channel.ts";
import { sentenceOf } from "../domain/coded.ts";
import { englishNoticeFailures, type NoticeFailure } from "../domain/notice-failure.ts";
import { errorMessage } from "../platform/error-code.ts";
import { SecretFileUnusable } from "../platform/secret-file.ts";
import { type AlertChannel, NoticeNotSent } from "./channel.ts";
import type { AlertNotice } from "./notice.ts";

export interface QueuedNotice {
  notice: AlertNotice;
  channel: AlertChannelName;
  attempts: number;
  /** Epoch milliseconds; null once it is completed. */
  nextAt: number | null;
  /** Why the last attempt failed; null if there was none or it arrived. */
  failure: string | null;
  /** The same as data. Notices stored by an older version lack it. */
  failureReason?: NoticeFailure | null;
}

const minuteMs = 60_000;
/** Delay after each failed attempt; the last one applies to all further attempts. */
const retryMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs];
const givenUpMs = 24 * 60 * minuteMs;
/** Completed notices that `peyk alert list` can show. */
const endedMax = 20;

export class NoticeQueue {
  #notices: readonly QueuedNotice[];
  readonly #underWay = new Set<QueuedNotice>();

  /** As left by the last run of the service. */
  constructor(notices: readonly QueuedNotice[]) {
    this.#notices = notices;
  }

  /** Newest first. */
  all(): readonly QueuedNotice[] {
    return this.#notices.toReversed();
  }

  add(notice: AlertNotice, channels: readonly AlertChannel[]): void {
    const added = channels
      .filter((channel) => channel.takes(notice))
      .map(({ name }): QueuedNotice => ({ notice, channel: name, attempts: 0, nextAt: notice.at, failure: null }));
    this.#put([...this.#notices, ...added]);
  }

  /** Makes one attempt for each notice that is due and not already being sent, and returns the outcomes. */
  async deliver(
    channels: readonly AlertChannel[],
    now: number,
    failingRoutes: ReadonlySet<string>,
  ): Promise<readonly QueuedNotice[]> {
    const isDue = ({ nextAt }: QueuedNotice) => nextAt !== null && nextAt <= now;
    const due = this.#notices.filter((one) => isDue(one) && !this.#underWay.has(one));
    return Promise.all(
      due.map(async (one) => {
        this.#underWay.add(one);
        const attempted = await attempt(one, channels, now, failingRoutes);
        this.#underWay.delete(one);
        this.#put(this.#notices.map((kept) => (kept === one ? attempted : kept)));
        return attempted;
      }),
    );
  }

  #put(notices: readonly QueuedNotice[]): void {
    const ended = notices.filter(({ nextAt }) => nextAt === null);
    const forgotten = new Set(ended.slice(0, Math.max(ended.length - endedMax, 0)));
    this.#notices = notices.filter((one) => !forgotten.has(one));
  }
}

async function attempt(
  queued: QueuedNotice,
  channels: readonly AlertChannel[],
  now: number,
  failingRoutes: ReadonlySet<string>,
): Promise<QueuedNotice> {
  const { notice } = queued;
  const attempts = queued.attempts + 1;
  const channel = channels.find(({ name }) => name === queued.channel);
  if (channel === undefined) return { ...queued, nextAt: null, ...failureOf({ code: "channel_off", values: {} }) };
  try {
    await channel.send(notice, failingRoutes);
    return { ...queued, attempts, nextAt: null, failure: null, failureReason: null };
  } catch (error) {
    const nextAt = now + (retryMs[attempts - 1] ?? retryMs[retryMs.length - 1] ?? minuteMs);
    return {
      ...queued,
      attempts,
      nextAt: nextAt - notice.at > givenUpMs ? null : nextAt,
      ...failureOf(failureIn(error)),
    };
  }
}

const failureOf = (failureReason: NoticeFailure) => ({
  failure: sentenceOf(failureReason, englishNoticeFailures),
  failureReason,
});

function failureIn(error: unknown): NoticeFailure {
  if (error instanceof NoticeNotSent) return error.failure;
  const words = errorMessage(error);
  return { code: error instanceof SecretFileUnusable ? "secret_file_unusable" : "as_told", values: { words } };
}
