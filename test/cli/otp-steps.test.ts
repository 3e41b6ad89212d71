/** The steps of one-time passwords from the command line, and on the page of a message. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.accounts.create("Clinic");
});
afterEach(() => server.close());

const peyk = (...argv: string[]) => runCli([...argv, "--data-dir", server.folder], { env: { USER: "maryam" } });
const stepsOf = async (...argv: string[]): Promise<unknown> => {
  const run = await peyk("otp", "steps", ...argv, "--json");
  expect(run).toMatchObject({ code: 0, err: "" });
  return JSON.parse(run.out);
};

test("steps are set, listed and removed, for everybody and for an account", async () => {
  expect((await peyk("otp", "steps", "list")).out).toContain("A code is sent once");
  const all = { account: null, pattern: null, steps: [{ by: "sms", waitSeconds: 20 }] };
  expect(await stepsOf("set", "--try", "sms:20")).toEqual([all]);
  const own = { account: "acc_1", pattern: null, steps: [] };
  expect(await stepsOf("set", "--account", "acc_1")).toEqual([all, own]);
  expect((await peyk("otp", "steps", "list")).out).toContain("sms, sms after 20 s");
  expect(await stepsOf("remove")).toEqual([own]);
  expect((await peyk("otp", "steps", "figures")).out).toContain("No code with steps was sent");
});

test("steps that never end, that come too soon, too late, by nobody, or for nobody are refused", async () => {
  const wrong: [string[], RegExp][] = [
    [["--try", "sms:4"], /5 to 300/],
    [["--try", "sms:301"], /5 to 300/],
    [["--try", "sms"], /--try sms/],
    [["--try", "fax:20"], /must be one of sms, channel, not "fax"/],
    [["--try", "sms:5", "--try", "sms:5", "--try", "sms:5", "--try", "sms:5"], /at most 3/],
    [["--try", "channel:20"], /seconds of --try channel:20/],
    [["--try", "channel::20"], /short name|letters, digits/],
    [["--try", "channel:telegram:4"], /5 to 300/],
    [["--try", "channel:telegram:20"], /no route "?telegram/],
    [["--try", "channel:simulator:20"], /simulator is no channel/],
    [["--account", "acc_9"], /no such account/],
    [["--pattern", "login"], /account: is required beside pattern/],
    [["--account", "acc_1", "--pattern", "login"], /no such pattern/],
  ];
  for (const [options, words] of wrong) {
    const run = await peyk("otp", "steps", "set", ...options);
    expect([run.code === 0, run.err]).toEqual([false, expect.stringMatching(words)]);
  }
  expect(await stepsOf("list")).toEqual([]);
  expect(await stepsOf("set", "--try", "sms:5", "--try", "sms:300", "--try", "sms:7")).toHaveLength(1);
});
