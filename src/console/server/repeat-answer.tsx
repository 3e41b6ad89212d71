/** The answer to a repeated form: the same page, with a note that nothing was done a second time. */

import { Notice } from "../components/blocks.tsx";
import { useLocale } from "../locale.ts";
import { type PageAnswer, redirect } from "../page/page.ts";
import type { RepeatedForm } from "./form-repeats.ts";

/** The first answer may have been lost: after a double click, the browser only shows the second. */
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

export function RepeatNotice() {
  const { words } = useLocale();
  return <Notice tone="info">{words.forms.repeated}</Notice>;
}
