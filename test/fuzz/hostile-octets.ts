/** Inputs that hurt parsers: one piece repeated, two alternating, deep nesting, anything that a seed draws. */
import type { Chance } from "../simulation/chance.ts";

/** Characters with a meaning in some grammar. */
const pieces = [
  ..."    \t\t\r\n",
  ..."&=%+?#/\\:;,.-_@!~*'\"`|<>()[]{} \t\r\n\0\x1b0aAZ",
  "a=&",
  "%41",
  "%",
  "{{",
  "}}",
  "{{a}}",
  "[[",
  '{"a":',
  '"a",',
  "\\u0000",
  "1e9",
  "-0.1,",
  "\r\n",
  "a: b\r\n",
  "id:1 stat:DELIVRD ",
  "text:",
  "err:",
  "1.1.1.1, ",
  "::",
  "fe80::1%",
  "+98912",
  "۰۹۱۲",
  "٬",
  "ی\u200c",
  "é",
  "e\u0301",
  "🙂",
  "\ud83d",
  "\u202e",
  "T00:00:00Z",
  "2026-01-05",
  "=?utf-8?Q?",
  "; path=/",
  "HTTP/1.1 200 OK\r\n",
  "Transfer-Encoding: chunked\r\n\r\n",
  "0\r\n",
  "--x\r\n",
] as const;

const repeated = (piece: string, octets: number) => piece.repeat(Math.ceil(octets / piece.length)).slice(0, octets);

const onePiece = (chance: Chance) => pieces[chance.between(0, pieces.length - 1)] ?? "";

/** `octets` of text or, sometimes, of random bytes. */
export function hostileOctets(chance: Chance, octets: number): Buffer {
  const [head, body, tail] = [onePiece(chance), onePiece(chance), onePiece(chance)];
  switch (chance.between(0, 6)) {
    case 0:
      return Buffer.from(repeated(body, octets));
    case 1:
      return Buffer.from(`${head}${repeated(body, octets)}${tail}`);
    case 2:
      return Buffer.from(repeated(head + body, octets));
    case 3:
      return Buffer.from(`${repeated(head, octets / 2)}${repeated(body, octets / 2)}`);
    case 4:
      return Buffer.from(`${repeated('{"a":[', octets / 2)}${repeated("]}", octets / 2)}`);
    case 5: {
      const drawn = Array.from({ length: 64 }, () => onePiece(chance)).join("");
      return Buffer.from(repeated(drawn, octets));
    }
    default:
      return Buffer.from(repeatedBytes(chance.bytes(chance.between(1, 64)), octets));
  }
}

function repeatedBytes(bytes: Uint8Array, octets: number): Uint8Array {
  return Uint8Array.from({ length: octets }, (_, index) => bytes[index % bytes.length] ?? 0);
}
