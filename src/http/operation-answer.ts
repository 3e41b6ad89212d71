/** The declared successful responses of an operation, and the type of an answer that matches them. */
import type { Static, TSchema } from "@sinclair/typebox";

export interface ResponseDeclaration<Body extends TSchema | null = TSchema | null> {
  description: string;
  /** Null for an answer without a body (204). */
  body: Body;
  /** The body says that the request was repeated. */
  isRepeat?: boolean;
  /** Response headers besides those that every response carries, with their meaning. */
  headers?: Readonly<Record<string, string>>;
}

/** An operation's responses, by status. Successful answers have the same body, whatever the status. */
export type ResponseDeclarations<Status extends number, Body extends TSchema | null> = Readonly<
  Record<Status, ResponseDeclaration<Body>>
>;

interface AnswerHeaders {
  location?: string | undefined;
  payloadMismatch?: boolean;
  /** For the log. */
  trackingCode?: string;
}

/** A list that is too long for memory may come in slices. */
type SlicedBody<List> = List extends readonly (infer Item)[] ? { slices: AsyncIterable<readonly Item[]> } : never;
type AnswerBody<Body extends TSchema | null> = Body extends TSchema
  ? { body: Static<Body> } | SlicedBody<Static<Body>>
  : { body: null };

/** An answer with a declared status and body. */
export type Answer<Status extends number, Body extends TSchema | null> = AnswerHeaders & {
  status: Status;
} & AnswerBody<Body>;

export type AnswerTo<Responses extends ResponseDeclarations<number, TSchema | null>> = Answer<
  keyof Responses & number,
  Responses[keyof Responses & number]["body"]
>;

/** An answer as the pipeline writes it; the operation's declaration has checked its shape. */
export interface OperationAnswer extends AnswerHeaders {
  status: number;
  /** Written as JSON; null for no body. */
  body?: unknown;
  /** A JSON array in slices, instead of `body`. */
  slices?: AsyncIterable<readonly unknown[]>;
}
