/** Pages that stay current: what their streams send, and that each of them has one. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PostForm } from "../../src/console/components/post-form.tsx";
import { createLocale, useLocale } from "../../src/console/locale.ts";
import type { PageEvent } from "../../src/console/page/page.ts";
import { LivePages } from "../../src/console/server/live-pages.tsx";
import { OperatorError } from "../../src/domain/operator-error.ts";
import { silentLog } from "../../src/platform/log.ts";
import { TurnShare } from "../../src/platform/turn-share.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, reaches, sendMessage } from "../support/console-traffic.ts";
import { ManualClock } from "../support/manual-clock.ts";

describe("an open page", () => {
  const Since = ({ at }: { at: number }) => `${useLocale().format.now - at} ms ago`;

  function opened() {
    const clock = new ManualClock();
    const events: PageEvent[] = [];
    const state = { name: "one", looks: 0, isGone: false };
    const numbers = ["number 1", "number 2", "number 3"];
    const nextFormNumber = () => numbers.shift() ?? "none left";
    const begunAt = clock.now();
    const stop = new LivePages({ clock, log: silentLog, turns: new TurnShare(clock, 1_000), nextFormNumber })
      .for({
        locale: () => createLocale({ language: "en", zone: "UTC", now: clock.now() }),
        look: () => {
          state.looks += 1;
          if (state.isGone) return Promise.reject(new OperatorError("message_not_found"));
          const page = (
            <>
              <p>
                {state.name} <Since at={begunAt} />
              </p>
              <PostForm />
            </>
          );
          return Promise.resolve({ seen: state.name, page });
        },
      })
      .start((event) => events.push(event));
    const told = () => events.splice(0).map(({ data }) => /<p>(.*)<\/p>/.exec(data)?.[1]);
    return { clock, state, stop, told, events };
  }

  test("is read every second, and drawn again at once where it changed, else every five seconds", async () => {
    const { clock, state, stop, told } = opened();
    await clock.advance(1_000);
    expect(told()).toEqual(["one 1000 ms ago"]);
    await clock.advance(3_000);
    expect([state.looks, told()]).toEqual([4, []]);
    state.name = "two";
    await clock.advance(1_000);
    expect(told()).toEqual(["two 5000 ms ago"]);
    await clock.advance(5_000);
    expect(told()).toEqual(["two 10000 ms ago"]);
    stop();
    await clock.advance(60_000);
    expect([state.looks, told()]).toEqual([10, []]);
  });

  test("keeps the numbers of its forms, so that nothing is sent where nothing changed", async () => {
    const { clock, state, stop, events } = opened();
    await clock.advance(1_000);
    state.name = "two";
    await clock.advance(1_000);
    stop();
    expect(events.map(({ data }) => /value="(.*?)"/.exec(data)?.[1])).toEqual(["number 1", "number 1"]);
  });

  test("looks seldom for what is gone", async () => {
    const { clock, state, stop } = opened();
    state.isGone = true;
    await clock.advance(60_000);
    expect(state.looks).toBe(1);
    await clock.advance(2_000);
    expect(state.looks).toBe(2);
    stop();
  });
});

describe("the stream of", () => {
  let server: ConsoleProcess;
  let owner: FormClient;
  let code: string;
  beforeAll(async () => {
    server = await startConsole();
    await addAccounts(server);
    owner = await signedInAs(server, "owner", { name: "olga" });
    const recipients = ["09123450000", "09123450002"];
    await server.api("POST /messages", {
      account: "acc_1",
      sender: "30001",
      message: "Hi",
      recipients,
      idempotencyKey: "one",
    });
    const { id: key } = await server.api("POST /keys", { account: "acc_1", name: "till" });
    await server.api("POST /credentials", { key, kind: "smpp", traffic: "bulk" });
    code = await sendMessage(server, { recipient: "09123450004" });
    await reaches(server, code, "delivered");
  });
  afterAll(() => server.stop());

  /** What it sends first. */
  async function firstOf(path: string): Promise<string> {
    const response = await owner.get(path);
    expect([path, response.status]).toEqual([path, 200]);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("</hx-partial>\n\n")) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) throw new Error(`${path} ended with ${text}`);
      text += value;
    }
    await reader?.cancel();
    return text;
  }

  test("a message, a campaign, a credential, a route and the backups brings heading and body up to date", async () => {
    const [credential] = await server.api("GET /credentials", {});
    const pages = [
      `/messages/${code}`,
      "/campaigns/camp_1",
      `/credentials/${credential?.id}`,
      "/routes/simulator",
      "/backups",
    ];
    const tried = pages.map(async (page) => {
      const html = await (await owner.get(page)).text();
      expect(html).toContain(`hx-sse:connect="${page}/live"`);
      expect(html).toContain('class="live-gone"');
      const sent = await firstOf(`${page}/live`);
      expect([...sent.matchAll(/hx-target="(.*?)"/g)].map(([, target]) => target)).toEqual([
        "#page-head",
        "#page-body",
      ]);
    });
    await Promise.all(tried);
  });

  test("something that is not there does not begin", async () => {
    for (const page of ["/messages/01M81TBMF5391PMJBKEWBK0XFB", "/campaigns/camp_9", "/routes/nowhere"]) {
      expect([page, (await owner.get(`${page}/live`)).status]).toEqual([page, 404]);
    }
  });
});
