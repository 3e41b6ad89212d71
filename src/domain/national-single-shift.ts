/**
 * The national language single shift tables (3GPP TS 23.038, A.2), which replace the extension of the GSM 7-bit
 * alphabet.
 */

/** Latin capitals and signs around an alphabet's own characters, from the 26th on. */
const withLatin = (own: string) =>
  `@£$¥¿"¤%&'\f*+ -/<=>¡^¡_#*${own}|ABCDEFGHIJKLMNOPQRSTUVWXYZ          €                          `;

const tables = {
  // Turkish
  1:
    "          \f     " +
    "    ^           " +
    "        {}     \\" +
    "            [~] " +
    "|      Ğ İ      " +
    "   Ş            " +
    "   ç € ğ ı      " +
    "   ş            ",
  // Spanish
  2:
    "         ç\f     " +
    "    ^           " +
    "        {}     \\" +
    "            [~] " +
    "|Á       Í     Ó" +
    "     Ú          " +
    " á   €   í     ó" +
    "     ú          ",
  // Portuguese
  3:
    "     ê   ç\fÔô Áá" +
    "  ΦΓ^ΩΠΨΣΘ     Ê" +
    "        {}     \\" +
    "            [~] " +
    "|À       Í     Ó" +
    "     Ú     ÃÕ   " +
    " Â   €   í     ó" +
    "     ú     ãõ  â",
  // Bengali
  4: withLatin(
    "\u09e6\u09e7 \u09e8\u09e9\u09ea\u09eb" +
      "\u09ec\u09ed\u09ee\u09ef\u09df\u09e0\u09e1\u09e2{}\u09e3\u09f2\u09f3\u09f4\u09f5\\" +
      "\u09f6\u09f7\u09f8\u09f9\u09fa       [~] ",
  ),
  // Gujarati
  5: withLatin(
    "\u0964\u0965 \u0ae6\u0ae7\u0ae8\u0ae9" + "\u0aea\u0aeb\u0aec\u0aed\u0aee\u0aef  {}     \\" + "            [~] ",
  ),
  // Hindi
  6: withLatin(
    "\u0964\u0965 \u0966\u0967\u0968\u0969" +
      "\u096a\u096b\u096c\u096d\u096e\u096f\u0951\u0952{}\u0953\u0954\u0958\u0959\u095a\\" +
      "\u095b\u095c\u095d\u095e\u095f\u0960\u0961\u0962\u0963\u0970\u0971 [~] ",
  ),
  // Kannada
  7: withLatin(
    "\u0964\u0965 \u0ce6\u0ce7\u0ce8\u0ce9" +
      "\u0cea\u0ceb\u0cec\u0ced\u0cee\u0cef\u0cde\u0cf1{}\u0cf2    \\" +
      "            [~] ",
  ),
  // Malayalam
  8: withLatin(
    "\u0964\u0965 \u0d66\u0d67\u0d68\u0d69" +
      "\u0d6a\u0d6b\u0d6c\u0d6d\u0d6e\u0d6f\u0d70\u0d71{}\u0d72\u0d73\u0d74\u0d75\u0d7a\\" +
      "\u0d7b\u0d7c\u0d7d\u0d7e\u0d7f       [~] ",
  ),
  // Oriya
  9: withLatin(
    "\u0964\u0965 \u0b66\u0b67\u0b68\u0b69" +
      "\u0b6a\u0b6b\u0b6c\u0b6d\u0b6e\u0b6f\u0b5c\u0b5d{}\u0b5f\u0b70\u0b71  \\" +
      "            [~] ",
  ),
  // Punjabi
  10: withLatin(
    "\u0964\u0965 \u0a66\u0a67\u0a68\u0a69" +
      "\u0a6a\u0a6b\u0a6c\u0a6d\u0a6e\u0a6f\u0a59\u0a5a{}\u0a5b\u0a5c\u0a5e\u0a75 \\" +
      "            [~] ",
  ),
  // Tamil
  11: withLatin(
    "\u0964\u0965 \u0be6\u0be7\u0be8\u0be9" +
      "\u0bea\u0beb\u0bec\u0bed\u0bee\u0bef\u0bf3\u0bf4{}\u0bf5\u0bf6\u0bf7\u0bf8\u0bfa\\" +
      "            [~] ",
  ),
  // Telugu
  12: withLatin(
    "   \u0c66\u0c67\u0c68\u0c69" +
      "\u0c6a\u0c6b\u0c6c\u0c6d\u0c6e\u0c6f\u0c58\u0c59{}\u0c78\u0c79\u0c7a\u0c7b\u0c7c\\" +
      "\u0c7d\u0c7e\u0c7f         [~] ",
  ),
  // Urdu
  13: withLatin(
    "\u0600\u0601 \u06f0\u06f1\u06f2\u06f3" +
      "\u06f4\u06f5\u06f6\u06f7\u06f8\u06f9\u060c\u060d{}\u060e\u060f\u0610\u0611\u0612\\" +
      "\u0613\u0614\u061b\u061f\u0640\u0652\u0658\u066b\u066c\u0672\u0673\u06cd[~]\u06d4",
  ),
};

/**
 * By national language identifier: the characters of the septets after an escape, with a space where the table has
 * none.
 */
export const singleShiftTables: ReadonlyMap<number, string> = new Map(
  Object.entries(tables).map(([language, table]) => [Number(language), table]),
);
