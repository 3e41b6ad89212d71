/** Forms that are larger than any page makes: nobody's memory or time is spent on them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  fileFormsMax,
  openFormBytesMax,
  typedBesideFilesMax,
  typedFormBytesMax,
} from "../../src/console/server/posted-form.ts";
import { type ConsoleProcess, FormClient, signedInAs, startConsole } from "../support/console.ts";
import { longestTurn, longestTurnAtBest } from "../support/longest-turn.ts";
import { rawConnection } from "../support/raw-http.ts";

let server: ConsoleProcess;
let owner: FormClient;
beforeAll(async () => {
  server = await startConsole();
  owner = await signedInAs(server, "owner");
  const { data: account } = await server.api.accounts.post({ name: "Clinic" });
  await server.api.accounts({ id: account?.id ?? "" }).senders.post({ sender: "30001234" });
});
afterAll(() => server.stop());

/** The first lines of a form that is sent by hand. */
function headOf(path: string, { url, cookies }: FormClient): string {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const lines = [`POST ${path} HTTP/1.1`, `Host: ${new URL(url).host}`, `Origin: ${url}`, `Cookie: ${cookie}`, ""];
  return lines.join("\r\n");
}

test("a form that anybody may post is small, and says its length", async () => {
  const stranger = new FormClient(server.consoleUrl);
  const typed = (bytes: number) => stranger.post("/sign-in", { user: "owner", password: "x".repeat(bytes) });
  expect((await typed(openFormBytesMax / 2)).status).toBe(422);
  const tooLarge = await typed(openFormBytesMax);
  expect([tooLarge.status, await tooLarge.text()]).toEqual([413, "This form may have at most 65536 bytes.\n"]);
  const unmeasured = await rawConnection(Number(new URL(server.consoleUrl).port));
  unmeasured.write(`${headOf("/sign-in", stranger)}Transfer-Encoding: chunked\r\n\r\n6\r\nuser=o\r\n0\r\n\r\n`);
  expect(await unmeasured.answer()).toMatchObject({ status: 411, body: "A form must say its length.\n" });
  unmeasured.end();
});

test("what is typed into a form has less room than a file", async () => {
  const manyFields = new URLSearchParams(Array.from({ length: typedFormBytesMax / 2 }, () => ["a", ""]));
  expect((await owner.post("/settings", manyFields)).status).toBe(413);
  const withFile = new FormData();
  withFile.set("recipients", "0".repeat(2 * typedFormBytesMax));
  expect((await owner.postForm("/send/review", withFile)).status).toBe(422);
});

test("a million empty entries and a long text in a form hold nobody up", async () => {
  const form = new FormData();
  form.set("recipients", ",".repeat((typedBesideFilesMax * 3) / 4));
  form.set("text", "a".repeat(typedBesideFilesMax / 5));
  const longestMs = await longestTurn(async () =>
    expect((await owner.postForm("/send/review", form)).status).toBe(422),
  );
  // The entries took a second, the text a tenth.
  expect(longestMs).toBeLessThan(250);
  form.set("text", "a".repeat(typedBesideFilesMax));
  expect((await owner.postForm("/send/review", form)).status).toBe(413);
});

test("a number that is too long is refused at once, whatever it is made of", async () => {
  for (const repeated of ["\u0001", "9", "س"]) {
    const form = new FormData();
    const bytes = typedBesideFilesMax - 4_096;
    form.set("recipients", repeated.repeat(Math.floor(bytes / Buffer.byteLength(repeated))));
    form.set("text", "Hello");
    const longestMs = await longestTurnAtBest(50, async () => {
      const answer = await owner.postForm("/send/review", form);
      expect(await answer.text()).toContain("One of the numbers is longer than 200 characters");
    });
    expect(longestMs).toBeLessThan(50);
  }
});

test("a file of numbers without a line's end is refused early", async () => {
  for (const repeated of [",", " ", '"', "س"]) {
    const form = new FormData();
    form.set("file", new File([repeated.repeat(4_000_000 / Buffer.byteLength(repeated))], "numbers.csv"));
    const longestMs = await longestTurnAtBest(50, async () => {
      const answer = await owner.postForm("/send/review", form);
      expect(await answer.text()).toContain("A line of this file is too long");
    });
    expect(longestMs).toBeLessThan(50);
  }
});

const sixteenMegabytes = 16 * 1024 * 1024 - 4_096;
const contents = { lines: "\r\n", quotes: '"', Persian: "س" };

for (const [name, repeated] of Object.entries(contents)) {
  test(`a file of sixteen megabytes holds nobody up, one of ${name}`, async () => {
    const form = new FormData();
    form.set("name", "world");
    const count = Math.floor(sixteenMegabytes / Buffer.byteLength(repeated));
    form.set("file", new File([repeated.repeat(count)], "large.csv"));
    for (const path of ["/send/review", "/prices"]) {
      const longestMs = await longestTurnAtBest(50, async () =>
        expect((await owner.postForm(path, form)).status).toBe(422),
      );
      // Read at once they took up to 0.6 s; now 5 to 25 ms.
      expect(longestMs).toBeLessThan(50);
    }
  });
}

test("numbers of a file that are too many do not stand in the form that comes back", async () => {
  const numbers = Array.from({ length: 50_001 }, (_, index) => `0912${String(index).padStart(7, "0")}`);
  const form = new FormData();
  form.set("file", new File([numbers.join("\n")], "many.csv"));
  const page = await (await owner.postForm("/send/review", form)).text();
  expect(/50,000/.test(page)).toBe(true);
  expect(/09120000001/.test(page)).toBe(false);
});

test("a user uploads two files at a time, and further ones when those have ended", async () => {
  const upload = async () => {
    const connection = await rawConnection(Number(new URL(server.consoleUrl).port));
    const type = "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000";
    connection.write(`${headOf("/send/review", owner)}${type}\r\n\r\n--x`);
    return connection;
  };
  const file = () => {
    const form = new FormData();
    form.set("recipients", "09121234567");
    return owner.postForm("/send/review", form);
  };
  const until = async (status: number) => {
    while ((await file()).status !== status) await Bun.sleep(10);
  };
  const uploads = await Promise.all(Array.from({ length: fileFormsMax }, upload));
  await until(429);
  expect((await owner.get("/send")).status).toBe(200);
  for (const connection of uploads) connection.end();
  await until(422);
});
