/** The list of messages followed live: the bar that says so with its pace, and the rows that come on top. */
import type { MessageSummaryAnswer } from "../../../operator/messages.ts";
import { Icon } from "../../components/inline.tsx";
import { LiveMark, Replaced } from "../../components/live.tsx";
import { RecordRow } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { listWords } from "./list-words.ts";
import { messageListColumns } from "./message-list.tsx";
import type { ReadBy } from "./message-state.ts";

export const freshRowsId = "fresh-rows";
const paceId = "pace";
const rowId = ({ trackingCode }: MessageSummaryAnswer): string => `row-${trackingCode}`;

/** `stop`: the list as it is; `goOn`: followed again from now. */
export function FollowingBar({ stop, goOn }: { stop: string; goOn: string }) {
  const say = useWords(listWords);
  return (
    <div class="following" data-following="">
      <LiveMark word={say.following} />
      <span id={paceId} class="muted">
        {say.waitsForNew}
      </span>
      <span class="following-held muted" hidden data-held="" />
      <a class="button button-small" href={stop} data-tail="">
        <Icon name="pause" />
        {say.stop} <kbd>T</kbd>
      </a>
      <a class="button button-small" href={goOn} data-tail="" data-go-on="" hidden>
        <Icon name="play" />
        {say.follow} <kbd>T</kbd>
      </a>
    </div>
  );
}

export interface FreshMessages {
  /** Newest first, of those that came. */
  rows: readonly MessageSummaryAnswer[];
  /** Shown before, with another state now. */
  changed: readonly MessageSummaryAnswer[];
  messages: number;
  sinceMs: number;
}

/** What came since the last look, and what became of the rows shown before. */
export function FreshRows({ rows, changed, messages, sinceMs, readBy }: FreshMessages & { readBy: ReadBy }) {
  const locale = useLocale();
  const columns = messageListColumns(locale, { readBy, rows: [...rows, ...changed] });
  return (
    <>
      {messages === 0 ? null : (
        <Replaced id={paceId}>
          <Pace rows={rows.length} messages={messages} sinceMs={sinceMs} />
        </Replaced>
      )}
      {rows.length === 0 ? null : (
        <Replaced id={freshRowsId} swap="afterbegin">
          {rows.map((row) => (
            <RecordRow key={row.trackingCode} id={rowId(row)} row={row} columns={columns} fresh />
          ))}
        </Replaced>
      )}
      {changed.map((row) => (
        <Replaced key={row.trackingCode} id={rowId(row)} swap="outerMorph">
          <RecordRow id={rowId(row)} row={row} columns={columns} />
        </Replaced>
      ))}
    </>
  );
}

function Pace({ rows, messages, sinceMs }: { rows: number; messages: number; sinceMs: number }) {
  const { format, say } = useLocale(listWords);
  if (messages <= rows) return say.pace(format.count(messages), format.duration(sinceMs));
  const perSecond = Math.round((1_000 * messages) / sinceMs);
  return say.rate(format.number(perSecond), format.count(Math.round(messages / Math.max(1, rows))));
}
