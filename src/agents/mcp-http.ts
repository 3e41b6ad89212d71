/** MCP over HTTP, one request at a time: no session is kept, so nothing of a token outlives its request. */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { mcpServer, type ToolAccess } from "./mcp-server.ts";

/** `body`: read already. */
export async function answerMcp(
  request: Request,
  body: string,
  signal: AbortSignal,
  access: ToolAccess,
): Promise<Response> {
  const parsedBody = parsed(body);
  // A batch would be many requests in one; current versions of the protocol have none.
  if (Array.isArray(parsedBody)) return rpcRefused(-32600, "Send one message at a time.");
  if (parsedBody === undefined) return rpcRefused(-32700, "The body is not JSON.");
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = mcpServer(access);
  await server.connect(transport);
  const ended = new Promise<Response>((resolve) => {
    signal.addEventListener("abort", () => resolve(rpcRefused(-32000, "The token has ended.", 401)), { once: true });
  });
  try {
    return await Promise.race([transport.handleRequest(request, { parsedBody }), ended]);
  } finally {
    await server.close();
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const rpcRefused = (code: number, message: string, status = 400) =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
