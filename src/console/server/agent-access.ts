/** What a listener of the console leaves to users' programs with a token; loaded at the first request for it. */
import type { AgentServer, AgentServerDeps } from "../../agents/agent-server.ts";
import { urlOf } from "../../platform/request-url.ts";
import { admits } from "../page/listener-side.ts";
import type { Visit } from "../page/visit.ts";
import { noSniff } from "./monitoring-access.ts";
import type { SideOptions } from "./pages.ts";
import { servedHosts } from "./served-hosts.ts";

export interface AgentAccessDeps {
  agentServer: AgentServerDeps;
}

type AnswerAgent = (request: Request, client: Pick<Visit, "address" | "mayBeSilent">) => Promise<Response> | null;

const isAgentPath = (path: string): boolean => path === "/mcp" || path === "/api" || path.startsWith("/api/");

export function openAgentAccess({ agentServer }: AgentAccessDeps) {
  let loaded: Promise<AgentServer> | null = null;
  const server = () => {
    loaded ??= import("../../agents/agent-server.ts").then((module) => new module.AgentServer(agentServer));
    return loaded;
  };
  return {
    /** Null if the request is for a page. */
    serve({ side, url, isTls }: SideOptions): AnswerAgent {
      const originOf = servedHosts({ url, isTls });
      async function answer(request: Request, path: string, client: Parameters<AnswerAgent>[1]): Promise<Response> {
        const origin = originOf(request);
        if (origin === null) return refusal(421, "wrong_host", "This name is not served here.");
        if (!isFromProgramOrPage(request, origin))
          return refusal(403, "wrong_origin", "Pages of other sites get no answer.");
        const to = { admits: (role: Parameters<typeof admits>[1]) => admits(side, role), hasApi: side === "console" };
        return (await server()).answer(request, path, { ...to, ...client, pagesUrl: url ?? origin });
      }
      return (request, client) => {
        const { pathname } = urlOf(request);
        return isAgentPath(pathname) ? answer(request, pathname, client).then(withHeaders) : null;
      };
    },
    async stop(): Promise<void> {
      (await loaded)?.stop();
    },
  };
}

/** Browsers send both headers, and programs neither: a page under another name that resolves to us is refused. */
function isFromProgramOrPage({ headers }: Request, ownOrigin: string): boolean {
  const origin = headers.get("Origin");
  const site = headers.get("Sec-Fetch-Site");
  return (origin === null || origin.toLowerCase() === ownOrigin) && (site === null || site === "same-origin");
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(noSniff)) response.headers.set(name, value);
  return response;
}

const refusal = (status: number, code: string, message: string) => Response.json({ code, message }, { status });
