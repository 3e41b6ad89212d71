/** Opens the console: monitoring is served immediately; the pages, and what is reached with a token, at the first request. */

import { nextTurn } from "../../platform/next-turn.ts";
import { type AgentAccessDeps, openAgentAccess } from "./agent-access.ts";
import type { AnswerFrom } from "./listener.ts";
import { type MonitoringDeps, openMonitoring } from "./monitoring.ts";
import { askerFrom } from "./monitoring-access.ts";
import type { Pages, PagesDeps, SideOptions } from "./pages.ts";

export interface ConsoleDeps extends PagesDeps, MonitoringDeps, AgentAccessDeps {
  /** Proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[];
}

export type Console = ReturnType<typeof openConsole>;

export function openConsole(deps: ConsoleDeps) {
  let loaded: Promise<Pages> | null = null;
  /** Not at start-up, which need not wait for it: the pages and their words took a quarter of it. */
  const pages = () => {
    loaded ??= loadPages(deps);
    return loaded;
  };
  const askerOf = askerFrom(deps.trustedProxies);
  const monitoring = openMonitoring(deps);
  const agents = openAgentAccess(deps);

  /** The request handler of one listener. */
  function serve(options: SideOptions): AnswerFrom {
    let server: ReturnType<Pages["serverFor"]> | null = null;
    const answerAgent = agents.serve(options);
    return async (request, { peer, mayBeSilent }) => {
      const { address, isHidden } = askerOf(request, peer);
      const monitored = options.side === "console" ? monitoring(request, isHidden ? null : address) : null;
      if (monitored !== null) return monitored;
      const byToken = answerAgent(request, { address, mayBeSilent });
      if (byToken !== null) return byToken;
      const { serverFor } = await pages();
      server ??= serverFor(options);
      return server.answer(request, { address, mayBeSilent });
    };
  }
  return {
    serve,
    /** Ends the pages' open streams. */
    async stop(): Promise<void> {
      await agents.stop();
      (await loaded)?.streams.stop();
    },
  };
}

async function loadPages(deps: PagesDeps): Promise<Pages> {
  const { openPages, prepareDates } = await import("./pages.ts");
  await nextTurn();
  const pages = openPages(deps);
  await prepareDates(deps.timeZone, deps.clock.now(), nextTurn);
  return pages;
}
