/** Persian: why a copy of the database cannot be made or used, mirroring the English table. */
import type { SentencesOf } from "../../domain/coded.ts";
import type { CopyProblemValues } from "../../platform/copy-problem.ts";
import { isolate } from "../isolate.ts";
import { numbersOf } from "../numbers.ts";

const number = (value: number) => numbersOf.fa.one.format(value);
const listed = (names: readonly string[]) => names.map(isolate).join("، ");

export const persianCopyProblems: SentencesOf<CopyProblemValues> = {
  copy_absent: () => "فایل این نسخه دیگر نیست.",
  copy_unreadable: ({ reason }) => `فایل این نسخه خوانده نمی‌شود: ${isolate(reason)}.`,
  no_database: ({ reason }) => `این فایل نسخهٔ کاملی از پایگاه داده نیست: ${isolate(reason)}.`,
  other_database: () => "این فایل پایگاه داده است، اما از آنِ پیک نیست.",
  never_set_up: () => "این پایگاه دادهٔ پیک هرگز راه‌اندازی نشده است.",
  newer_schema: ({ schema, known }) =>
    `این نسخه را پیک تازه‌تری نوشته است (ساختار آن ${number(schema)} است و این پیک تا ${number(known)} را می‌شناسد). نخست آن پیک را نصب کنید.`,
  wrong_sum: () => "این نسخه آسیب دیده است: بایت‌هایش همان‌هایی نیست که نوشته شد.",
  damaged: ({ findings }) => `این نسخه آسیب دیده است: ${listed(findings)}.`,
  no_room: ({ folder, freeMib, wantedMib }) =>
    `در ${isolate(folder)} ${number(freeMib)} مگابایت جا مانده و نسخه ممکن است ${number(wantedMib)} مگابایت بخواهد. نخست جا باز کنید.`,
  not_made: ({ reason }) => `نسخه‌ای ساخته نشد: ${isolate(reason)}.`,
  source_unreadable: ({ reason }) => `از پایگاه داده نسخه گرفته نمی‌شود: ${isolate(reason)}.`,
  folder_unusable: ({ folder, reason }) => `پوشهٔ ${isolate(folder)} جای نسخه نمی‌شود: ${isolate(reason)}.`,
  closed_to_owner: ({ folder, closed }) =>
    `صاحب ${isolate(folder)}، که ${isolate("root")} آن‌جا با دسترسی او کار می‌کند، به ${isolate(closed)} راه ندارد. پوشهٔ دیگری برگزینید یا راه او را باز کنید.`,
  stray_rows: ({ rows, tables }) =>
    `این نسخه آسیب دیده است: ${number(rows)} ردیف به چیزی اشاره می‌کند که نیست (در ${listed(tables)}).`,
};
