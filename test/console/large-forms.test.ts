/** Forms that are larger than any page makes: they take nobody's memory or time. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  fileFormsMax,
  openFormBytesMax,
  typedBesideFilesMax,
  typedFormBytesMax,
} from "../../src/console/forms/form-reader.ts";
import { type ConsoleProcess, FormClient, signedInAs, startConsole } from "../support/console.ts";
import { rawConnection } from "../support/raw-http.ts";
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

/** The head of a request with a handwritten form. */
function headOf(path: string, { url, cookies }: FormClient): string {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const lines = [`POST ${path} HTTP/1.1`, `Host: ${new URL(url).host}`, `Origin: ${url}`, `Cookie: ${cookie}`, ""];
  return lines.join("\r\n");
}

test("a form that anybody may post is small and must state its length", async () => {
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

test("a user reads in the page's language why a form was refused", async () => {
  const told = async () => {
    const response = await owner.post("/settings", { name: "x".repeat(typedFormBytesMax) });
    return [response.status, await response.text()];
  };
  expect(await told()).toEqual([413, expect.stringContaining("This form may have at most 262144 bytes.")]);
  await owner.post("/preferences", { language: "fa" });
  expect(await told()).toEqual([413, expect.stringContaining("این فرم حداکثر ۲۶۲٬۱۴۴ بایت می‌پذیرد.")]);
  await owner.post("/preferences", { language: "en" });
});

const fieldsOf = (bytes: number) => `${"a&".repeat(bytes / 2 - 2)}b=x`;
const oneField = (bytes: number) => `a=${"x".repeat(bytes - 2)}`;

test("a form of many fields costs no more work than one of a single field, whoever posts it", async () => {
  const stranger = new FormClient(server.consoleUrl);
  const typed = new FormClient(server.consoleUrl);
  typed.cookies.set("peyk_console", "x".repeat(43));
  const posts: [FormClient, path: string, bytes: number, status: number][] = [
    [stranger, "/sign-in", openFormBytesMax, 413],
    [stranger, "/preferences", openFormBytesMax / 4, 413],
    [stranger, "/send", openFormBytesMax, 303],
    [typed, "/send", openFormBytesMax, 303],
    [owner, "/settings", typedFormBytesMax, 413],
  ];
  for (const [client, path, bytes, status] of posts) {
    const usedBy = async (body: string, expected: number | null) => {
      const before = process.threadCpuUsage();
      for (let count = 0; count < 40; count += 1) {
        const answer = await client.postText(path, body);
        if (expected !== null) expect({ path, status: answer.status }).toEqual({ path, status: expected });
      }
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    };
    await usedBy(oneField(bytes), null);
    const [one, many] = [await usedBy(oneField(bytes), null), await usedBy(fieldsOf(bytes), status)];
    // They took up to a hundred times as long.
    expect({ path, isMore: many > 3 * one + 20 ? { one, many } : false }).toEqual({ path, isMore: false });
  }
});

test("text typed into a form has a lower limit than a file", async () => {
  const manyFields = new URLSearchParams(Array.from({ length: typedFormBytesMax / 2 }, () => ["a", ""]));
  expect((await owner.post("/settings", manyFields)).status).toBe(413);
  const withFile = new FormData();
  withFile.set("recipients", "0".repeat(2 * typedFormBytesMax));
  expect((await owner.postForm("/send/review", withFile)).status).toBe(422);
  withFile.set("text", "a".repeat(typedBesideFilesMax));
  expect((await owner.postForm("/send/review", withFile)).status).toBe(413);
});

test("numbers from a file that is too large do not come back in the form", async () => {
  const numbers = Array.from({ length: 50_001 }, (_, index) => `0912${String(index).padStart(7, "0")}`);
  const form = new FormData();
  form.set("file", new File([numbers.join("\n")], "many.csv"));
  const page = await (await owner.postForm("/send/review", form)).text();
  expect(/50,000/.test(page)).toBe(true);
  expect(/09120000001/.test(page)).toBe(false);
});

test("a user uploads two files at a time, and more once these have ended", async () => {
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
