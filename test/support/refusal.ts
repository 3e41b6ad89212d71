/** The sentence with which an operator's request is refused. */
import { OperatorError, refusalText } from "../../src/domain/operator-error.ts";

/** Throws if the request succeeds, or fails in another way. */
export async function refusalOf(request: Promise<unknown>): Promise<string> {
  const reason = await request.then(
    () => new Error("it was not refused"),
    (error: unknown) => error,
  );
  if (reason instanceof OperatorError) return refusalText(reason);
  throw reason;
}
