/** The operator's operations as pages call them: in this process, on behalf of the signed-in user. */
import { OperatorError } from "../../domain/operator-error.ts";
import type { OperatorCaller } from "../../operator/caller.ts";
import type { OperationName, OperatorClient } from "../../operator/client.ts";
import type { Perform } from "../../operator/perform.ts";

/** The operations themselves restrict every call of a customer to the customer's account. */
export type ConsoleApi = OperatorClient<OperationName>;

/** Null if the operation answers that it does not exist. */
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
