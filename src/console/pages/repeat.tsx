/** Says that a form was sent before, so that nothing was done a second time. */
import { Notice } from "../components/blocks.tsx";
import { useLocale } from "../locale.ts";

export function RepeatNotice() {
  const { words } = useLocale();
  return <Notice tone="info">{words.forms.repeated}</Notice>;
}
