/** Finds the certificates in a PEM file. */

const begin = "-----BEGIN CERTIFICATE-----";
const end = "-----END CERTIFICATE-----";

/** Each with its markers, in file order; text between them and unterminated ones are left out. */
export function certificatesIn(pem: string): string[] {
  const [, ...pieces] = pem.split(begin);
  return pieces.filter((piece) => piece.includes(end)).map((piece) => begin + piece.slice(0, piece.indexOf(end)) + end);
}
