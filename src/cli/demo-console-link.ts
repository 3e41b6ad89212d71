/**
 * The demo's link to its console: whoever opens it is signed in as the owner, without choosing a password. Only the
 * demo serves it.
 */
import type { Random } from "../platform/random.ts";

export interface DemoConsoleLinkDeps {
  random: Pick<Random, "uuid">;
  /** A command that prints another link. */
  renewal: string;
}

export interface DemoConsoleLink {
  url: string;
  /** Resolves once somebody has signed in. */
  opened: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Listens on the loopback interface on a port of its own. Browsers keep cookies by host, not by port, so the session
 * set here is also valid for the console. `setupUrl` is the console's one-time link, which limits how often and how
 * long this one works.
 */
export function openDemoConsoleLink(setupUrl: string, { random, renewal }: DemoConsoleLinkDeps): DemoConsoleLink {
  const { origin, pathname } = new URL(setupUrl);
  const opened = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (request.method !== "GET" || URL.parse(request.url)?.pathname !== pathname) {
        return new Response("There is nothing here.\n", { status: 404 });
      }
      const cookies = await chooseAnyPassword(setupUrl, random.uuid());
      if (cookies === null) return new Response(endedSentence(renewal), { status: 410 });
      opened.resolve();
      const headers = new Headers({ Location: `${origin}/`, "Cache-Control": "no-store" });
      for (const cookie of cookies) headers.append("Set-Cookie", cookie);
      return new Response(null, { status: 303, headers });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}${pathname}`,
    opened: opened.promise,
    stop: () => server.stop(true),
  };
}

/** Does what the form on the link's page does. Null if the link was used or has expired. */
async function chooseAnyPassword(setupUrl: string, password: string): Promise<string[] | null> {
  const answer = await fetch(setupUrl, {
    method: "POST",
    body: new URLSearchParams({ password, again: password }),
    headers: { Origin: new URL(setupUrl).origin },
    redirect: "manual",
  });
  return answer.status === 303 ? answer.headers.getSetCookie() : null;
}

const endedSentence = (renewal: string): string =>
  `This link was used or has ended. Another one, which asks for a password: ${renewal}\n`;
