/** Persian: problems in a file of members or numbers, mirroring the English table. */
import type { ImportProblemTexts } from "../../domain/import-problem.ts";
import type { MemberColumn } from "../../domain/member-columns.ts";
import { isolate } from "../isolate.ts";
import { numbersOf } from "../numbers.ts";

export const persianColumns: Readonly<Record<MemberColumn, string>> = {
  mobile: "شمارهٔ همراه",
  firstName: "نام",
  lastName: "نام خانوادگی",
  fullName: "نام کامل",
};

const number = (value: number) => numbersOf.fa.one.format(value);
const names = (list: readonly string[]) => list.map(isolate).join("، ");

export const persianImportProblems: ImportProblemTexts = {
  not_utf8: () =>
    `با کدگذاری ${isolate("UTF-8")} نیست؛ فایل را به‌صورت ${isolate("CSV UTF-8")} ذخیره کنید و دوباره تلاش کنید.`,
  zero_byte: () =>
    `بایت صفر دارد، پس فایل متنی نیست؛ آن را به‌صورت ${isolate("CSV UTF-8")} ذخیره کنید و دوباره تلاش کنید.`,
  line_too_long: ({ max }) => `بیش از ${number(max)} نویسه دارد؛ هر سطر فایل باید یک شماره داشته باشد.`,
  empty_file: () => "فایل خالی است؛ سطر نخست آن باید نام ستون‌ها باشد.",
  unreadable_line: ({ reason }) => `به‌صورت ${isolate("CSV")} خوانده نشد: ${isolate(reason)}.`,
  quote_not_closed: () => "علامت نقل‌قولی باز شده و هرگز بسته نشده است.",
  text_after_quote: () => "پس از بسته‌شدن علامت نقل‌قول یک خانه، نوشتهٔ دیگری آمده است.",
  field_over_lines: () => "یک خانه از پایان سطر می‌گذرد؛ آیا علامت نقل‌قولی بسته نشده است؟",
  column_named_twice: ({ column }) => `دو ستون سطر نخست «${persianColumns[column]}» است.`,
  column_chosen_twice: ({ column }) => `دو ستون را «${persianColumns[column]}» برگزیده‌اید.`,
  mobile_not_named: ({ found, known }) =>
    `سطر نخست ستون ${isolate("mobile")} (یا «موبایل») ندارد و تنها این‌هاست: ${names(found)}. نام‌های شناخته‌شده: ${names(known)}.`,
  mobile_not_chosen: () => "هیچ ستونی را «شمارهٔ همراه» برنگزیده‌اید.",
  too_many_fields: ({ fields, columns }) => `${number(fields)} خانه دارد و سطر نخست ${number(columns)}.`,
  no_mobile_number: () => "شمارهٔ همراه ندارد.",
  not_mobile: ({ value }) => `${isolate(value)} شمارهٔ همراه نیست.`,
  name_too_long: ({ column, max }) => `«${persianColumns[column]}» بیش از ${number(max)} نویسه دارد.`,
  name_control_character: ({ column }) => `«${persianColumns[column]}» نویسهٔ کنترلی دارد.`,
  name_not_utf8: ({ column }) => `«${persianColumns[column]}» حرف‌هایی دارد که ${isolate("UTF-8")} نبوده است.`,
  too_many_digits: ({ number: digits }) => `${isolate(digits)} رقم‌های بسیار دارد.`,
  too_many_members: ({ max }) => `هر گروه حداکثر ${number(max)} عضو دارد (تنظیم ${isolate("groups.members_max")}).`,
  no_members: () => "در این فایل هیچ عضوی نیست.",
  no_numbers: () => "در این فایل هیچ شماره‌ای نیست.",
};
