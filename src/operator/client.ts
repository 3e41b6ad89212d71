/** How commands and pages call operations: by name, with typed input and answer. Types only. */
import type { Static, TObject, TProperties } from "@sinclair/typebox";
import type { StreamedAnswer } from "./operation.ts";
import type { operations } from "./operations.ts";

type Operations = typeof operations;
export type OperationName = keyof Operations;

/** An undefined field counts as omitted. */
type Loose<Input> = { [Key in keyof Input]: object extends Pick<Input, Key> ? Input[Key] | undefined : Input[Key] };

export type InputFor<Name extends OperationName> = Operations[Name] extends {
  input?: infer Properties extends TProperties;
}
  ? Loose<Static<TObject<Properties>>>
  : never;
export type AnswerOf<Name extends OperationName> = Awaited<ReturnType<Operations[Name]["run"]>>;

/** Operations whose answer arrives whole. */
type WholeName = {
  [Name in OperationName]: AnswerOf<Name> extends StreamedAnswer ? never : Name;
}[OperationName];

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** For an operation that takes a file. */
  file?: Blob;
}

type Arguments<Name extends OperationName> =
  object extends InputFor<Name>
    ? [input?: InputFor<Name>, options?: CallOptions]
    : [input: InputFor<Name>, options?: CallOptions];

/** `api("POST /keys/:id/rotate", { id })`. Rejects with the operation's refusal. */
export type OperatorClient<Name extends OperationName = WholeName> = <Called extends Name>(
  name: Called,
  ...given: Arguments<Called>
) => Promise<AnswerOf<Called>>;
