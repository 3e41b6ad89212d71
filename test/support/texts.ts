/** Arbitrary message texts of the kinds that people send, long enough to need several parts. */
import fc from "fast-check";

const gsmAlphabet =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà^{}\\[~]|€";
const extension = "^{}\\[~]|€";

const textOf = (characters: string, lengthMax: number) =>
  fc.string({ unit: fc.constantFrom(...characters), maxLength: lengthMax, size: "max" });

/** GSM 7-bit, with extension characters often enough to occur at the edges of parts. */
export const gsmText = fc.oneof(
  textOf(gsmAlphabet, 500),
  fc.string({ unit: fc.oneof(fc.constantFrom(...extension), fc.constant("a")), maxLength: 500, size: "max" }),
);

/** Persian letters, digits and spaces, each a grapheme of its own. */
export const persianText = textOf("ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی ۰۱۲۳۴۵۶۷۸۹،؟.\n", 250);

/** Surrogate pairs among single units, so that pairs occur at the edges of parts. */
export const emojiText = textOf("😀🚀س م", 250);

export const anyText = fc.oneof(
  gsmText,
  persianText,
  emojiText,
  fc.string({ unit: "binary", maxLength: 250, size: "max" }),
);
