/** The options of a filter above a list, however many there are. */
import type { Option } from "../components/forms.tsx";

/** Of more accounts, the page of each one leads to what is its own. */
const optionsMax = 500;

/** With the chosen one, which the form would drop otherwise. */
export function offered(options: readonly Option[], chosen: string): Option[] {
  const shown = options.slice(0, optionsMax);
  if (chosen === "" || shown.some(({ value }) => value === chosen)) return shown;
  return [options.find(({ value }) => value === chosen) ?? { value: chosen, label: chosen }, ...shown];
}
