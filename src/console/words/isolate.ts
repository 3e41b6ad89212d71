/** Keeps a foreign name in a sentence from turning the words around it: the marks that `bdi` stands for, in plain text. */

export function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}
