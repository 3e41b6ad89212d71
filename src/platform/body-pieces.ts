/** Reads a request body piece by piece, until it ends or the read is aborted. */

/** A reader that stops early cancels the rest. Throws the reason of `signal`. */
export async function* untilAborted(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  if (body === null) return;
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop);
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
    // A cancelled read ends as if the body had ended.
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", stop);
    await reader.cancel().catch(() => {});
  }
}
