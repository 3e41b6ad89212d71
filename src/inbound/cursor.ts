/** Writes and checks the cursor of inbound messages, which is opaque to clients and valid for one account. */
import { crc32 } from "node:zlib";

/** Version, position, checksum. */
const version = 1;
const octets = { position: 1, checksum: 7, length: 11 };

/**
 * Covers the account, so that another account's cursor is invalid. It detects mistakes, not forgeries: a forged cursor
 * gains nothing.
 */
function checksumOf(head: Buffer, accountId: number): number {
  return crc32(String(accountId), crc32(head));
}

/** 15 characters that need no escaping in a URL. */
export function cursorText(accountId: number, position: number): string {
  const buffer = Buffer.alloc(octets.length);
  buffer.writeUInt8(version);
  buffer.writeUIntBE(position, octets.position, 6);
  buffer.writeUInt32BE(checksumOf(buffer.subarray(0, octets.checksum), accountId), octets.checksum);
  return buffer.toString("base64url");
}

/** The start, for every account: the example in the reference. */
export const firstCursor = cursorText(0, 0);

/** Null for anything that `cursorText` did not return for this account. */
export function cursorPosition(accountId: number, text: string): number | null {
  if (text === firstCursor) return 0;
  const buffer = Buffer.from(text, "base64url");
  if (buffer.length !== octets.length || buffer.readUInt8() !== version) return null;
  const position = buffer.readUIntBE(octets.position, 6);
  return cursorText(accountId, position) === text ? position : null;
}
