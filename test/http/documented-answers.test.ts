/** The check behind every other test of this folder: an answer that differs from the documentation is found. */
import { beforeAll, expect, test } from "bun:test";
import { startApi } from "../support/api.ts";
import { DocumentedAnswers, type ReceivedAnswer } from "../support/documented-answers.ts";

let answers: DocumentedAnswers;
let good: ReceivedAnswer;
beforeAll(async () => {
  const api = await startApi();
  answers = new DocumentedAnswers(await (await api.fetch("/v1/openapi.json")).json());
  const response = await api.call("GET", "/v1/senders");
  const { status, headers } = response;
  good = { method: "GET", path: "/v1/senders", status, headers, body: await response.text() };
  await api.stop();
});

const body = (value: unknown) => ({ body: JSON.stringify(value) });
const header = (name: string, value: string | null) => {
  const headers = new Headers(good.headers);
  if (value === null) headers.delete(name);
  else headers.set(name, value);
  return { headers };
};

const unlike: [what: string, changes: () => Partial<ReceivedAnswer>, message: string][] = [
  ["a missing field", () => body([{ sender: "982000123" }]), "'active'"],
  ["a field that is not documented", () => body([{ sender: "982000123", active: true, id: 1 }]), '"id"'],
  ["a field of another type", () => body([{ sender: "982000123", active: "yes" }]), "/0/active"],
  ["another body", () => body({}), "must be array"],
  ["a status that is not documented", () => ({ status: 202 }), "a status that the reference lacks"],
  ["an error in another shape", () => ({ status: 401, ...body({ error: "no" }) }), "'code'"],
  ["an unknown error code", () => ({ status: 404, path: "/v1", ...body({ code: "gone" }) }), "/code"],
  ["a header that is not documented", () => header("X-Powered-By", "Peyk"), "x-powered-by"],
  ["no correlation id", () => header("X-Correlation-Id", null), "X-Correlation-Id"],
  ["another content type", () => header("Content-Type", "text/plain"), "application/json"],
  ["a body where there is none", () => ({ method: "HEAD" }), "There must be no body"],
  ["a method that the reference lacks", () => ({ method: "PUT" }), "no such operation"],
];

test("the check of documented answers accepts a good one", () => answers.assert(good));

test.each(unlike)("the check of documented answers finds %s", (_, changes, message) => {
  expect(() => answers.assert({ ...good, ...changes() })).toThrow(message);
});
