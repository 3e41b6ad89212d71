/** A size for people, in decimal units: `74.2 GB`, `512 MB`. */

const units = [
  [1_000_000_000, "GB"],
  [1_000_000, "MB"],
  [1_000, "kB"],
] as const;

export function sizeText(bytes: number): string {
  const found = units.find(([each]) => bytes >= each);
  if (found === undefined) return `${bytes} B`;
  const [each, unit] = found;
  return `${Math.round((bytes / each) * 10) / 10} ${unit}`;
}
