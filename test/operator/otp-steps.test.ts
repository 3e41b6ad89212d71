/** Steps of codes over the operator's API. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
});
afterEach(() => server.close());

test("steps of a pattern need its account, and one by a channel the channel", async () => {
  const problemsOf = async (body: object) => {
    const answer = await server.call("PUT", "/otp/steps", body);
    return [answer.status, answer.body];
  };
  const refused = (key: string, beside: string) => [
    400,
    expect.objectContaining({
      problems: [expect.objectContaining({ key, code: "required_beside", values: { key: beside } })],
    }),
  ];
  const steps = [{ by: "sms", waitSeconds: 20 }];
  expect(await problemsOf({ pattern: "login", steps })).toEqual(refused("account", "pattern"));
  expect(await problemsOf({ steps: [{ by: "channel", waitSeconds: 20 }] })).toEqual(
    refused("steps.channel", "by channel"),
  );
  expect(await problemsOf({ steps })).toEqual([200, [{ account: null, pattern: null, steps }]]);
});
