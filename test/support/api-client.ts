/** A client of the public API for tests: an answer that deviates from the served reference fails the test. */
import { DocumentedAnswers } from "./documented-answers.ts";
import { type RawAnswer, type RawConnection, rawConnection } from "./raw-http.ts";

let documented: Promise<DocumentedAnswers> | null = null;

/** All test servers serve the same reference. */
function documentedAnswers(base: string): Promise<DocumentedAnswers> {
  documented ??= fetch(`${base}/v1/openapi.json`).then(
    async (response) => new DocumentedAnswers(await response.json()),
  );
  return documented;
}

interface CallOptions {
  body?: unknown;
  /** Null omits a header. */
  headers?: Record<string, string | null>;
}

function headersOf({ body, headers = {} }: CallOptions, apiKey: string): Headers {
  const result = new Headers({ "X-API-Key": apiKey });
  if (body !== undefined) result.set("Content-Type", "application/json");
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) result.delete(name);
    else result.set(name, value);
  }
  return result;
}

/** `apiKey`: the one that `call` and `send` use. */
export function apiClient(base: string, port: number, apiKey: string) {
  const check = async (method: string, path: string, { status, headers, body }: RawAnswer) =>
    (await documentedAnswers(base)).assert({ method, path, status, headers, body });

  const client = {
    async fetch(path: string, init: RequestInit = {}): Promise<Response> {
      const response = await fetch(base + path, init);
      const { status, headers } = response;
      await check(init.method ?? "GET", path, { status, headers, body: await response.clone().text() });
      return response;
    },

    /** A connection for handwritten requests; its answer is checked against the first request line. */
    async connect(): Promise<RawConnection> {
      const connection = await rawConnection(port);
      let [method, path] = ["", ""];
      return {
        ...connection,
        write(sent) {
          if (method === "") [method = "", path = ""] = Buffer.from(sent).toString("latin1").split(" ", 2);
          connection.write(sent);
        },
        async answer() {
          const answer = await connection.answer();
          await check(method, path, answer);
          return answer;
        },
      };
    },

    /** Sends one request verbatim, and returns its answer. */
    async raw(text: string): Promise<RawAnswer> {
      const connection = await client.connect();
      connection.write(text);
      try {
        return await connection.answer();
      } finally {
        connection.end();
      }
    },

    /** A request with the client's key, unless `headers` overrides it. */
    call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
      const body = options.body === undefined ? null : JSON.stringify(options.body);
      return client.fetch(path, { method, headers: headersOf(options, apiKey), body, redirect: "manual" });
    },

    /** A POST with an Idempotency-Key, a new one by default. */
    send(path: string, body: unknown, key: string = crypto.randomUUID(), headers: CallOptions["headers"] = {}) {
      return client.call("POST", path, { body, headers: { "Idempotency-Key": key, ...headers } });
    },
  };
  return client;
}
