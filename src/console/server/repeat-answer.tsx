/** What a form is answered that was sent before: the same page, and that nothing was done a second time. */
import { RepeatNotice } from "../pages/repeat.tsx";
import { type PageAnswer, redirect } from "./page.ts";
import type { RepeatedForm } from "./sent-forms.ts";

/** The first answer may have been lost on the way: a double click shows only the second. */
export function repeatAnswer({ to, answer }: RepeatedForm): PageAnswer {
  if (answer?.kind === "document") return answer;
  const told = answer?.kind === "redirect" ? answer.notice : undefined;
  return redirect(
    to,
    <>
      {told}
      <RepeatNotice />
    </>,
  );
}
