/** The operations of the operator's side as pages call them: in this process, in the name of the signed-in user. */
import { OperatorError } from "../../domain/operator-error.ts";
import type { OperatorCaller } from "../../operator/caller.ts";
import type { OperationName, OperatorClient } from "../../operator/client.ts";
import type { Perform } from "../../operator/perform.ts";

/** Every call of a customer's is bound to the customer's account by the operations themselves. */
export type ConsoleApi = OperatorClient<OperationName>;

/** Null where the operation refuses: there is no such thing. */
export const orNone = <Answer>(answer: Promise<Answer>): Promise<Answer | null> =>
  answer.catch((reason: unknown) => {
    if (reason instanceof OperatorError) return null;
    throw reason;
  });

export function consoleApi(perform: Perform, caller: OperatorCaller): ConsoleApi {
  return (name, ...[input, { signal, file } = {}]) =>
    perform(caller, name, input, {
      ...(signal !== undefined && { signal }),
      ...(file !== undefined && { file: { bytes: () => file.bytes(), stream: () => file.stream() } }),
    });
}
