/** Intakes under kill -9: no accepted call is lost, and only a call without a key may be doubled. */
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { freePort } from "../support/free-ports.ts";
import { PeykProcess, rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

setDefaultTimeout(120_000);

const folder = temporaryFolder();
let peyk: PeykProcess | null = null;
afterEach(async () => {
  await peyk?.kill();
  folder.remove();
});

const password = "password-of-ops";
const rounds = 6;

async function operate<Answer>(method: string, path: string, body: object): Promise<Answer> {
  const request = { method, unix: join(folder.path, "peyk.sock"), body: JSON.stringify(body) };
  const answer = await fetch(`http://localhost${path}`, {
    ...request,
    headers: { "content-type": "application/json" },
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

test("calls with a key are sent once each, whenever the server is killed; one without a key may be repeated", async () => {
  const port = await freePort();
  const start = () => PeykProcess.start({ folder: folder.path, env: { PEYK_DROP_IN_LISTEN: `127.0.0.1:${port}` } });
  peyk = await start();
  const account = await operate<{ id: string }>("POST", "/accounts", { name: "Ops" });
  await operate("POST", `/accounts/${account.id}/senders`, { sender: "30001234" });
  const key = await operate<{ id: string }>("POST", "/keys", { account: account.id, name: "ops" });
  const template = { sender: "30001234", to: ["09120000000"], text: "{{text}}", key: "{{id|''}}" };
  await operate("POST", "/credentials", {
    key: key.id,
    kind: "intake",
    name: "ops",
    password,
    traffic: "single",
    template,
  });
  const call = async (body: object): Promise<number> => {
    const headers = { "content-type": "application/json", authorization: `Basic ${btoa(`ops:${password}`)}` };
    const answer = await fetch(`http://127.0.0.1:${port}/in/ops`, {
      method: "POST",
      body: JSON.stringify(body),
      headers,
    }).catch(() => null);
    return answer?.status ?? 0;
  };
  const answered = new Set<string>();
  const sent = { named: 0, attempts: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const ids = Array.from({ length: 20 }, (_, index) => `${round}-${index}`);
    // Some of them are on disk and unanswered when it dies.
    const dying = ids.map(async (id) => {
      if ((await call({ id, text: `named ${id}` })) === 200) answered.add(`named ${id}`);
    });
    const bare = call({ text: `bare ${round}` });
    await Promise.race([...dying, Bun.sleep(round * 3)]);
    await peyk.kill();
    await Promise.all(dying);
    await bare;
    peyk = await start();
    for (const id of ids) {
      expect(await call({ id, text: `named ${id}` })).toBe(200);
      answered.add(`named ${id}`);
      sent.named += 1;
    }
    expect(await call({ text: `bare ${round}` })).toBe(200);
    sent.attempts += 2;
  }
  const texts = rowsIn<{ text: string }>(folder.path, "SELECT text FROM message").map(({ text }) => text);
  const named = texts.filter((text) => text.startsWith("named"));
  expect(new Set(named)).toEqual(answered);
  expect(named.length).toBe(sent.named);
  // A call without a key was stored at least once each time it was answered, and may be stored twice.
  const bare = texts.length - named.length;
  expect(bare).toBeGreaterThanOrEqual(rounds);
  expect(bare).toBeLessThanOrEqual(sent.attempts);
});
