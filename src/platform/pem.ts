/** Finds the certificates in a PEM file. */

const begin = "-----BEGIN CERTIFICATE-----";
const end = "-----END CERTIFICATE-----";

/** Each with its markers, in the order of the file; what stands between them and one that does not end are left out. */
export function certificatesIn(pem: string): string[] {
  const [, ...pieces] = pem.split(begin);
  return pieces.filter((piece) => piece.includes(end)).map((piece) => begin + piece.slice(0, piece.indexOf(end)) + end);
}
