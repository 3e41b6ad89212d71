/** MCP on standard input and output: a person at the terminal started it, and said what it may change. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { parseMobileNumber } from "../domain/phone-number.ts";
import type { Fields } from "../operator/operation.ts";
import { changesNothing, declarationOf } from "./consequences.ts";
import { masked } from "./masking.ts";
import { mcpServer } from "./mcp-server.ts";

export interface StdioOptions {
  /** Changes that it may make. */
  allowed: ReadonlySet<string>;
  readsTexts: boolean;
  /** Over the operator's socket. */
  call(name: string, input: Fields, signal: AbortSignal): Promise<unknown>;
  mark(): string;
}

export const isOperation = (name: string): boolean => declarationOf(name) !== undefined;

/** Resolves when the agent has closed standard input. */
export async function serveStdio({ allowed, readsTexts, call, mark }: StdioOptions): Promise<void> {
  const isOpen = (name: string) => {
    const declared = declarationOf(name);
    return declared !== undefined && (changesNothing(declared) || allowed.has(name));
  };
  const server = mcpServer({
    isForCustomer: false,
    isOpen: ({ operation }) => isOpen(operation),
    async call({ operation }, input, signal) {
      const answer = await call(operation, input, signal);
      // Numbers are judged as they are written in full, in any country.
      return readsTexts ? answer : masked(answer, (text) => parseMobileNumber(text, "IR") !== null);
    },
    mark,
  });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
}
