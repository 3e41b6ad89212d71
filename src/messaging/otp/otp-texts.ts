/** The texts that carry codes: complete only for the phone, masked for everybody else, sealed in storage. */
import { maskedCode } from "../../domain/otp.ts";
import { joinSealed, sealedPart, visibleText } from "../../domain/sealed-text.ts";
import { renderTemplate, type Template } from "../../domain/template.ts";
import type { Sealer } from "../../platform/seal.ts";

export interface OtpText {
  /** As sent to the phone. Never stored. */
  text: string;
  /** The masked text, followed by the complete one sealed. */
  storedText: string;
}

export type OtpTexts = ReturnType<typeof otpTexts>;

export function otpTexts(sealer: Sealer) {
  return {
    /** The template's only variable must be `code`. */
    compose(template: Template, code: string): OtpText {
      const text = renderTemplate(template, { code });
      const masked = renderTemplate(template, { code: maskedCode(code) });
      return { text, storedText: joinSealed(masked, sealer.seal(text)) };
    },

    /** The complete text of a stored one, only for the route. Throws KeyFileError if the key file has changed since. */
    open(message: { text: string }): string {
      const sealed = sealedPart(message.text);
      return sealed === null ? visibleText(message.text) : sealer.open(sealed);
    },
  };
}
