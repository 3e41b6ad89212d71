/** What is asked of the thread for large bodies, and its replies. */
import { ApiError, type ApiErrorCode, type FieldProblem } from "../domain/api-error.ts";
import { type PlainSchema, type ReducedBody, reduceBody } from "./large-body.ts";

export interface LargeBodyTask {
  id: number;
  bytes: Uint8Array;
  schema: PlainSchema;
}

export type LargeBodyReply =
  | { id: number; reduced: ReducedBody }
  | { id: number; refused: { code: ApiErrorCode; message: string; problems: readonly FieldProblem[] } };

export interface LargeBodyThread {
  /** Detaches what is transferred. */
  postMessage(task: LargeBodyTask, transferred: readonly ArrayBuffer[]): void;
  terminate(): unknown;
}

/** `failed`: the thread ended by itself. */
export type StartLargeBodyThread = (
  replied: (reply: LargeBodyReply) => void,
  failed: (reason: unknown) => void,
) => LargeBodyThread;

export function replyTo({ id, bytes, schema }: LargeBodyTask): LargeBodyReply {
  try {
    return { id, reduced: reduceBody(bytes, schema) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, problems } = error;
    return { id, refused: { code, message, problems } };
  }
}
