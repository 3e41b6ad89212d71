/** Reads a mail's octets to its end, and keeps the first of them. */
import { mailLimits } from "../../domain/mail-text.ts";

export interface MailOctets {
  kept: Buffer;
  count: number;
  /** A CR or LF stood alone: by such, programs disagree about where a mail ends. */
  hasBareLineEnd: boolean;
}

/**
 * `turn`: resolves when the next piece may be read. Null: the connection ended before the mail did, or it is much too
 * large.
 */
export async function readOctets(stream: AsyncIterable<Buffer>, turn: () => Promise<void>): Promise<MailOctets | null> {
  const pieces: Buffer[] = [];
  const lines = lineEnds();
  let [count, keptCount, hasBareLineEnd] = [0, 0, false];
  try {
    for await (const piece of stream) {
      count += piece.length;
      hasBareLineEnd ||= lines.hasBare(piece);
      const more = piece.subarray(0, mailLimits.keptOctetsMax - keptCount);
      if (more.length > 0) pieces.push(Buffer.from(more));
      keptCount += more.length;
      if (count > 2 * mailLimits.octetsMax) return null;
      await turn();
    }
  } catch {
    return null;
  }
  return { kept: Buffer.concat(pieces), count, hasBareLineEnd };
}

const [carriageReturn, lineFeed] = [0x0d, 0x0a];

/** Of consecutive pieces. */
export function lineEnds(): { hasBare(piece: Uint8Array): boolean } {
  let endsInReturn = false;
  return {
    hasBare(piece) {
      if (piece.length === 0) return false;
      if (endsInReturn && piece[0] !== lineFeed) return true;
      for (let at = piece.indexOf(lineFeed); at !== -1; at = piece.indexOf(lineFeed, at + 1)) {
        if (at === 0 ? !endsInReturn : piece[at - 1] !== carriageReturn) return true;
      }
      endsInReturn = piece.at(-1) === carriageReturn;
      const last = endsInReturn ? piece.length - 1 : piece.length;
      for (let at = piece.indexOf(carriageReturn); at !== -1 && at < last; at = piece.indexOf(carriageReturn, at + 1)) {
        if (piece[at + 1] !== lineFeed) return true;
      }
      return false;
    },
  };
}
