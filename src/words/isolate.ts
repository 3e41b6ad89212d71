/** Keeps a foreign name in a sentence from reordering the words around it: the plain-text equivalent of `bdi`. */

export function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}
