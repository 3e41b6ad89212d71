/** A customer's program that receives reports by plain HTTP. */

export interface ReportReceiver {
  origin: string;
  /** Method, target and body of each call. */
  calls: { method: string; target: string; body: string; contentType: string | null }[];
  /** Resolves with the first `count` calls. */
  until(count: number): Promise<ReportReceiver["calls"]>;
  stop(): Promise<void>;
}

/** `answer`: of the nth call, counted from 1. */
export function reportReceiver(answer: (call: number) => Response = () => new Response("ok")): ReportReceiver {
  const calls: ReportReceiver["calls"] = [];
  let heard = () => {};
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      calls.push({
        method,
        target: `${pathname}${search}`,
        body: await request.text(),
        contentType: headers.get("content-type"),
      });
      heard();
      return answer(calls.length);
    },
  });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    calls,
    async until(count) {
      while (calls.length < count) {
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
      return calls.slice(0, count);
    },
    stop: () => server.stop(true),
  };
}
