/** The declared successful responses of an operation, and the type of an answer that keeps to them. */
import type { Static, TSchema } from "@sinclair/typebox";

export interface ResponseDeclaration<Body extends TSchema | null = TSchema | null> {
  description: string;
  /** Null for an answer without a body (204). */
  body: Body;
  /** Response headers beside those that every response carries, with their meaning. */
  headers?: Readonly<Record<string, string>>;
}

/** Of one operation, by status. Whatever the status, a successful answer has the same body. */
export type ResponseDeclarations<Status extends number, Body extends TSchema | null> = Readonly<
  Record<Status, ResponseDeclaration<Body>>
>;

interface AnswerHeaders {
  location?: string | undefined;
  payloadMismatch?: boolean;
  /** For the log. */
  trackingCode?: string;
}

/** A list may come in slices, where it is too long for memory. */
type SlicedBody<List> = List extends readonly (infer Item)[] ? { slices: AsyncIterable<readonly Item[]> } : never;
type AnswerBody<Body extends TSchema | null> = Body extends TSchema
  ? { body: Static<Body> } | SlicedBody<Static<Body>>
  : { body: null };

/** An answer with a declared status and the declared body. */
export type Answer<Status extends number, Body extends TSchema | null> = AnswerHeaders & {
  status: Status;
} & AnswerBody<Body>;

export type AnswerTo<Responses extends ResponseDeclarations<number, TSchema | null>> = Answer<
  keyof Responses & number,
  Responses[keyof Responses & number]["body"]
>;

/** An answer as the pipeline writes it; its operation's declaration has checked its shape. */
export interface OperationAnswer extends AnswerHeaders {
  status: number;
  /** Written as JSON; null for none. */
  body?: unknown;
  /** A JSON array in slices, instead of `body`. */
  slices?: AsyncIterable<readonly unknown[]>;
}
