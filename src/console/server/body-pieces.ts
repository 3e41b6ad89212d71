/** The body of a request, piece by piece, until it has ended or is no longer waited for. */

/** A reader who stops early cancels the rest. Throws the reason of `signal`. */
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
    // A read that is cancelled ends as if the body had.
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", stop);
    await reader.cancel().catch(() => {});
  }
}
