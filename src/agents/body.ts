/** Reads the body of a request with a token: up to a size, within a time. */
import { OperatorError } from "../domain/operator-error.ts";
import { untilAborted } from "../platform/body-pieces.ts";
import type { Clock } from "../platform/clock.ts";

const arrivesMs = 30_000;

/** @throws OperatorError, or the reason of the request's signal */
export async function readBody(request: Request, bytesMax: number, clock: Pick<Clock, "after">): Promise<Uint8Array> {
  const tooLarge = () => new OperatorError("body_too_large");
  if (Number(request.headers.get("Content-Length")) > bytesMax) throw tooLarge();
  const slow = new AbortController();
  const timer = clock.after(arrivesMs, () => slow.abort(new OperatorError("body_too_slow")));
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of untilAborted(request.body, AbortSignal.any([request.signal, slow.signal]))) {
      bytes += piece.length;
      if (bytes > bytesMax) throw tooLarge();
      pieces.push(piece);
    }
  } finally {
    timer.cancel();
  }
  return Bun.concatArrayBuffers(pieces, bytes, true);
}
