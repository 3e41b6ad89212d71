/** A running Peyk of any build for upgrade tests, used through its command line, its API and its console. */

/** A running service, wherever it runs. */
export interface Installation {
  /** Runs the command line with these arguments, and returns its output. */
  peyk(words: string): Promise<string>;
  request(path: string, request: ApiRequest): Promise<ApiAnswer>;
  /** Posts a form to the console as a browser without cookies would. */
  form(path: string, fields: Readonly<Record<string, string>>): Promise<{ status: number; location: string | null }>;
  /** The content of a file of the carrier and receiver; empty if there is none. */
  log(name: "carrier.log" | "callbacks.log"): Promise<string>;
}

export interface ApiRequest {
  method: "GET" | "POST";
  apiKey: string;
  idempotencyKey?: string;
  body?: unknown;
}

export interface ApiAnswer {
  status: number;
  /** The status line and the headers. */
  head: string;
  body: unknown;
}

/** Of the account whose data was left behind. */
export const sender = "30001234";

export const linesOf = <Line>(log: string): Line[] =>
  log
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Line => JSON.parse(line));

/** From the first text that contains one. */
export const codeIn = (texts: readonly string[]): string => /Code (\d{6})/.exec(texts.join("\n"))?.[1] ?? "";

export function textField(value: unknown, name: string): string {
  const found =
    typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name) : null;
  return String(found?.[1]);
}
