/** The compiler holds an operation's answers against its response schemas: these are checked by `tsc`, and stated as tests. */
import { expect, test } from "bun:test";
import type { AnswerTo } from "../../src/http/operation-answer.ts";
import { choiceOf, listOf, objectOf, orNull, textOf } from "../../src/http/response-fields.ts";

const record = objectOf("A record.", {
  code: textOf("A code.", "a"),
  status: choiceOf(["queued", "sent"], "A status.", "sent"),
  note: orNull(textOf("A note.", "b")),
});
const one = { 200: { description: "It.", body: record }, 202: { description: "It, new.", body: record } };
const many = { 200: { description: "All.", body: listOf(record, "All.") } };
const none = { 204: { description: "Gone.", body: null } };

/** `tsc` takes only the literal that is true of the two types. */
function compiles<Candidate, Answer>(is: Candidate extends Answer ? true : false): boolean {
  return is;
}

type Good = { code: string; status: "sent"; note: null };
type One = AnswerTo<typeof one>;
type Many = AnswerTo<typeof many>;
type None = AnswerTo<typeof none>;

test("an answer of the declared shape compiles", () => {
  expect([
    compiles<{ status: 200; body: Good }, One>(true),
    compiles<{ status: 200 | 202; body: Good; location: string }, One>(true),
    compiles<{ status: 200; body: Good[] }, Many>(true),
    compiles<{ status: 200; slices: AsyncIterable<Good[]> }, Many>(true),
    compiles<{ status: 204; body: null }, None>(true),
  ]).not.toContain(false);
});

test("another status, a missing field, another type or another value does not compile", () => {
  expect([
    compiles<{ status: 201; body: Good }, One>(false),
    compiles<{ status: 200; body: Omit<Good, "note"> }, One>(false),
    compiles<{ status: 200; body: Omit<Good, "note"> & { note: number } }, One>(false),
    compiles<{ status: 200; body: Omit<Good, "status"> & { status: "lost" } }, One>(false),
    compiles<{ status: 200; body: null }, One>(false),
    compiles<{ status: 200; slices: AsyncIterable<Good[]> }, One>(false),
    compiles<{ status: 200; body: Good }, Many>(false),
    compiles<{ status: 200; slices: AsyncIterable<string[]> }, Many>(false),
    compiles<{ status: 204; body: Good }, None>(false),
  ]).not.toContain(true);
});
