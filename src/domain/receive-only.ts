/** Routes that only receive texts and receipts: no sender may use them. */

/** Determined by the route's file. */
export function isReceiveOnly(file: Readonly<Record<string, unknown>>): boolean {
  return file.bind === "receiver";
}
