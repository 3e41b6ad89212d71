/** A preset: a carrier's template, built from the few keys that an operator has to give. */
import type { Credential } from "../../../domain/carrier-preset.ts";
import type { JsonFileReader } from "../../../domain/json-file.ts";

export interface CarrierPreset {
  /** The carrier and its interface. */
  title: string;
  /** The public documents that it is based on. */
  source: string;
  /** Each in the carrier's words. */
  needs: Partial<Record<Credential, string>>;
  /** A file that works once its names and secrets are replaced by the operator's. */
  example: Readonly<Record<string, unknown>>;
  /** Reads its own keys, and returns the template as an operator would write it. */
  template(reader: JsonFileReader): Readonly<Record<string, unknown>>;
}

/** True if the carrier shall call Peyk; then it is not polled. */
export const isCalled = (reader: JsonFileReader): boolean => reader.value("callbackUrl") !== undefined;

/** The carrier's address, if an operator need not give it. */
export function readBaseUrl(reader: JsonFileReader, otherwise: string): string {
  const url = reader.text("url", otherwise, { lengthMin: 1, lengthMax: 2048 });
  const isBase = /^https?:\/\/[^/?#{}@\s]+(\/[^?#{}\s]*)?$/.test(url) && URL.canParse(url);
  if (!isBase) reader.problem("url", { code: "base_url", values: {} });
  return url.endsWith("/") ? url.slice(0, -1) : url;
}

/** The callbacks of nearly every file. */
export const callbackKeys = (name: string) => ({
  callbackUrl: `https://sms.example.com/callbacks/${name}`,
  callbackSecretFile: `${name}.secret`,
});
