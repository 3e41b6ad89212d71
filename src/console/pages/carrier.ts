/** The carriers that Peyk knows, in the reader's language. */
import {
  type CarrierExampleName,
  type CarrierPresetName,
  type Credential,
  credentials,
} from "../../domain/carrier-preset.ts";
import type { Locale } from "../locale.ts";
import { persianCarriers, persianCredentials } from "../words/fa/carrier.ts";

/** A ready-made carrier, or an example to change. */
export interface CarrierChoice {
  name: CarrierPresetName | CarrierExampleName;
  /** In English, as `needs`. */
  title: string;
  kind: "preset" | "example";
  /** What the carrier gives the operator. */
  needs: Partial<Record<Credential, string>>;
  /** A file to begin with. */
  file: string;
}

export const carrierTitle = ({ name, title }: CarrierChoice, { language }: Locale): string =>
  language === "fa" ? persianCarriers[name].title : title;

/** Each with what it is in the carrier's words. */
export function carrierNeeds({ name, needs }: CarrierChoice, { language }: Locale): (readonly [string, string])[] {
  const written = (key: Credential, what: string) =>
    language === "fa"
      ? ([persianCredentials[key], persianCarriers[name].needs[key] ?? what] as const)
      : ([key, what] as const);
  return credentials.flatMap((key) => {
    const what = needs[key];
    return what === undefined ? [] : [written(key, what)];
  });
}
