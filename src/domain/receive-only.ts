/** Routes that only take what phones and receipts bring: no sender may use them. */

/** By the route's file. */
export function isReceiveOnly(file: Readonly<Record<string, unknown>>): boolean {
  return file.bind === "receiver";
}
