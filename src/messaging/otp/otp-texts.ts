/** The texts that carry codes: whole for the phone alone, masked for everybody else, sealed for as long as they rest. */
import { maskedCode } from "../../domain/otp.ts";
import { joinSealed, sealedPart, visibleText } from "../../domain/sealed-text.ts";
import { renderTemplate, type Template } from "../../domain/template.ts";
import type { Sealer } from "../../platform/seal.ts";

export interface OtpText {
  /** As the phone shall get it. Never stored. */
  text: string;
  /** The masked text, and the whole one sealed behind it. */
  storedText: string;
}

export type OtpTexts = ReturnType<typeof otpTexts>;

export function otpTexts(sealer: Sealer) {
  return {
    /** The template's only variable is `code`. */
    compose(template: Template, code: string): OtpText {
      const text = renderTemplate(template, { code });
      const masked = renderTemplate(template, { code: maskedCode(code) });
      return { text, storedText: joinSealed(masked, sealer.seal(text)) };
    },

    /** The whole text of a stored one, for the route alone. Throws KeyFileError when the key file is another one by now. */
    open(message: { text: string }): string {
      const sealed = sealedPart(message.text);
      return sealed === null ? visibleText(message.text) : sealer.open(sealed);
    },
  };
}
