/** Persian: problems of a routing plan, mirroring the English table. */
import type { PlanProblemTexts } from "../../domain/plan-problem.ts";
import { isolate } from "../isolate.ts";
import { numbersOf } from "../numbers.ts";

const numbers = (list: readonly number[]) => list.map((one) => numbersOf.fa.plain.format(one)).join("، ");
const names = (list: readonly string[]) => list.map(isolate).join("، ");

const targetNames = (targets: readonly (readonly string[])[]) => targets.map(names).join("؛ ");

export const persianPlanProblems: PlanProblemTexts = {
  no_number_fits: () => "هیچ شماره‌ای با آن نمی‌خواند: شبکهٔ آن بازهٔ شماره‌ای ندارد.",
  shadowed: ({ by }) =>
    by.length === 1
      ? `چیزی به آن نمی‌رسد: قاعدهٔ ${numbers(by)} پیش از آن همه را می‌پذیرد.`
      : `چیزی به آن نمی‌رسد: قاعده‌های ${numbers(by)} پیش از آن همه را می‌پذیرند.`,
  accounts_do_not_use_plan: ({ accounts }) =>
    `چیزی به آن نمی‌رسد: هیچ فرستنده‌ای از ${names(accounts)} این طرح را ندارد.`,
  routes_disabled: ({ targets }) => `پیام‌های آن منتظر می‌مانند: هیچ‌یک از مسیرهایش روشن نیست (${targetNames(targets)}).`,
  target_routes_disabled: ({ targets }) =>
    `پیام‌های ${numbers([targets.length])} مقصد آن منتظر می‌مانند: هیچ مسیری آن‌جا روشن نیست (${targetNames(targets)}).`,
  sender_has_no_routes: ({ senders }) =>
    `پیام‌هایی که هیچ قاعده‌ای نمی‌پذیرد تا پایان مهلت منتظر می‌مانند: ${names(senders)} مسیری از خود ندارد. در پایان قاعده‌ای برای همهٔ شماره‌ها بیفزایید، یا به فرستنده مسیر بدهید.`,
};
