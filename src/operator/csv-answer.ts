/** A CSV answer written while it is read. */

import { StreamedAnswer } from "./operation.ts";

/** Reads only as fast as the answer is consumed. An answer that is cut off is incomplete. */
export function csvAnswer(pieces: AsyncGenerator<string>): StreamedAnswer {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: () => void pieces.return(undefined),
    },
    { highWaterMark: 0 },
  );
  return new StreamedAnswer("text/csv; charset=utf-8; header=present", body);
}
