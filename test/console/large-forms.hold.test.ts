/** Forms of the largest permitted size do not block the event loop, whatever they contain. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { typedBesideFilesMax } from "../../src/console/forms/form-reader.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { expectNoHold } from "../support/longest-turn.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let owner: FormClient;
beforeAll(async () => {
  server = await startConsole();
  owner = await signedInAs(server, "owner");
  const { data: account } = await replyOf(server.api("POST /accounts", { name: "Clinic" }));
  await server.api("POST /accounts/:id/senders", { id: account?.id ?? "", sender: "30001234" });
});
afterAll(() => server.stop());

test("a form with a million empty entries and a long text does not block the event loop", async () => {
  const form = new FormData();
  form.set("recipients", ",".repeat((typedBesideFilesMax * 3) / 4));
  form.set("text", "a".repeat(typedBesideFilesMax / 5));
  // The entries took a second, the text a tenth.
  await expectNoHold(async () => expect((await owner.postForm("/send/review", form)).status).toBe(422));
});

test("a number that is too long is refused at once, whatever its characters", async () => {
  for (const repeated of ["\u0001", "9", "س"]) {
    const form = new FormData();
    const bytes = typedBesideFilesMax - 4_096;
    form.set("recipients", repeated.repeat(Math.floor(bytes / Buffer.byteLength(repeated))));
    form.set("text", "Hello");
    await expectNoHold(async () => {
      const answer = await owner.postForm("/send/review", form);
      expect(await answer.text()).toContain("One of the numbers is longer than 200 characters");
    });
  }
});

test("a file of numbers without a line break is refused early", async () => {
  for (const repeated of [",", " ", '"', "س"]) {
    const form = new FormData();
    form.set("file", new File([repeated.repeat(4_000_000 / Buffer.byteLength(repeated))], "numbers.csv"));
    await expectNoHold(async () => {
      const answer = await owner.postForm("/send/review", form);
      expect(await answer.text()).toContain("A line of this file is too long");
    });
  }
});

const sixteenMegabytes = 16 * 1024 * 1024 - 4_096;
const contents = { lines: "\r\n", quotes: '"', Persian: "س" };

for (const [name, repeated] of Object.entries(contents)) {
  test(`a file of sixteen megabytes made of ${name} does not block the event loop`, async () => {
    const form = new FormData();
    form.set("name", "world");
    const count = Math.floor(sixteenMegabytes / Buffer.byteLength(repeated));
    form.set("file", new File([repeated.repeat(count)], "large.csv"));
    for (const path of ["/send/review", "/prices"]) {
      await expectNoHold(async () => expect((await owner.postForm(path, form)).status).toBe(422));
      // Read at once they took up to 0.6 s; now 5 to 25 ms.
    }
  });
}
