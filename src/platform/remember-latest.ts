/** Remembers what a function made of its newest arguments. */
import { dropOldest } from "./drop-oldest.ts";

/** A function like `make`, which is asked again only for what is not among the newest `countMax`. What it throws is not remembered. */
export function rememberLatest<Made>(make: (text: string) => Made, countMax: number): (text: string) => Made {
  const known = new Map<string, { made: Made }>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found.made;
    const made = make(text);
    known.set(text, { made });
    dropOldest(known, countMax);
    return made;
  };
}
