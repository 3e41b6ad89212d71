/** Requests during the start: from the moment the port is open they are answered, not refused. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { freePort } from "../support/free-ports.ts";
import { type Customer, PeykProcess } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Sends requests until stopped; counts the answers by status. Refused connections are from before the port was open. */
function client(url: string, { apiKey, sender }: Customer, isOver: () => boolean): Promise<Map<number, number>> {
  const answers = new Map<number, number>();
  const ask = async (): Promise<number | null> => {
    try {
      const response = await fetch(`${url}/v1/messages`, {
        method: "POST",
        headers: { "x-api-key": apiKey, "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
        body: JSON.stringify({ sender, recipient: "09121234500", message: "سلام" }),
      });
      return response.status;
    } catch {
      return null;
    }
  };
  return (async () => {
    while (!isOver()) {
      const status = await ask();
      if (status === null) await Bun.sleep(1);
      else answers.set(status, (answers.get(status) ?? 0) + 1);
    }
    return answers;
  })();
}

test(
  "no request during a start is answered 503, in six starts",
  async () => {
    const listen = `127.0.0.1:${await freePort()}`;
    const start = () => PeykProcess.start({ folder: folder.path, args: ["--listen", listen] });
    const first = await start();
    const customer = await first.customer();
    await first.stop();
    for (let count = 0; count < 6; count += 1) {
      let isOver = false;
      const clients = Array.from({ length: 8 }, () => client(`http://${listen}`, customer, () => isOver));
      const peyk = await start();
      isOver = true;
      const answers = await Promise.all(clients);
      expect({ count, statuses: [...new Set(answers.flatMap((one) => [...one.keys()]))] }).toEqual({
        count,
        statuses: [202],
      });
      await peyk.stop();
    }
  },
  { timeout: 120_000 },
);
