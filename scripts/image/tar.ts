/**
 * Writes tar archives (POSIX ustar) that depend only on their content: not on the user, the clock or the order on disk.
 */

export interface TarEntry {
  /** Without a slash at either end. */
  path: string;
  mode: number;
  /** Of owner and group; defaults to root. */
  owner?: number;
  content?: Uint8Array;
  /** The target, if this is a symbolic link. */
  link?: string;
}

const blockBytes = 512;
const nameBytesMax = 100;
const prefixBytesMax = 155;
/** Eleven octal digits. */
const sizeMax = 8 ** 11 - 1;
const types = { file: "0", link: "2", folder: "5" } as const;

/** Yields the archive entry by entry; an entry with neither content nor link is a folder. */
export function tarOf(entries: readonly TarEntry[], madeAt: Date): Uint8Array<ArrayBuffer> {
  const pieces = entries.flatMap((entry) => {
    const content = entry.content ?? new Uint8Array();
    return [headerOf(entry, madeAt), content, new Uint8Array(paddingOf(content.length))];
  });
  return joined([...pieces, new Uint8Array(2 * blockBytes)]);
}

const paddingOf = (size: number) => (blockBytes - (size % blockBytes)) % blockBytes;

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function headerOf({ path, mode, owner = 0, content, link }: TarEntry, madeAt: Date): Uint8Array {
  const type = link !== undefined ? types.link : content === undefined ? types.folder : types.file;
  const { name, prefix } = splitPath(type === types.folder ? `${path}/` : path);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, width: number) => {
    header.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at, "latin1");
  };
  const size = content?.length ?? 0;
  if (size > sizeMax) throw new Error(`${path} is too large for this archive: ${size} bytes`);
  header.write(name, 0);
  octal(mode, 100, 8);
  octal(owner, 108, 8);
  octal(owner, 116, 8);
  octal(size, 124, 12);
  octal(Math.floor(madeAt.getTime() / 1_000), 136, 12);
  header.write("        ", 148, "latin1");
  header.write(type, 156, "latin1");
  header.write(fitting(link ?? "", nameBytesMax), 157);
  header.write("ustar\u000000", 257, "latin1");
  octal(0, 329, 8);
  octal(0, 337, 8);
  header.write(prefix, 345);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
    "latin1",
  );
  return header;
}

/** A path of up to 255 bytes, split at a slash. */
function splitPath(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= nameBytesMax) return { name: path, prefix: "" };
  for (let at = path.indexOf("/"); at !== -1 && at < path.length - 1; at = path.indexOf("/", at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(name) <= nameBytesMax) return { name, prefix: fitting(prefix, prefixBytesMax) };
  }
  throw new Error(`${path} is too long for this archive`);
}

function fitting(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) > bytesMax) throw new Error(`${text} is too long for this archive`);
  return text;
}
