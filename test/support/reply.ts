/** A call of the operator API that may be refused. */
import { CommandFailed } from "../../src/cli/errors.ts";
import { operatorErrors } from "../../src/domain/operator-error.ts";

type Reply<Answer> =
  | { status: number; data: Answer; error: null }
  | { status: number; data: null; error: { value: CommandFailed } };

const isKnown = (code: string): code is keyof typeof operatorErrors => code in operatorErrors;

export async function replyOf<Answer>(call: Promise<Answer>): Promise<Reply<Answer>> {
  try {
    return { status: 200, data: await call, error: null };
  } catch (value) {
    if (!(value instanceof CommandFailed) || !isKnown(value.code)) throw value;
    return { status: operatorErrors[value.code].status, data: null, error: { value } };
  }
}
