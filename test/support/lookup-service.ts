/** A service that tells the networks of numbers over HTTP, as a test wants it. */
export interface LookupService {
  /** What it was asked about, in order. */
  readonly asked: string[];
  /** What it answers with; by default the network of `networks`, or 404. */
  answer: ((number: string) => Response | Promise<Response>) | null;
  readonly networks: Map<string, string>;
  /** Ends all questions that hang. */
  stop(): Promise<void>;
  file(changes?: object): object;
}

export function startLookupService(): LookupService {
  const asked: string[] = [];
  const networks = new Map<string, string>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    fetch(request) {
      const number = decodeURIComponent(new URL(request.url).pathname.slice(1));
      asked.push(number);
      if (service.answer !== null) return service.answer(number);
      const network = networks.get(number);
      return network === undefined
        ? Response.json({ error: "unknown" }, { status: 404 })
        : Response.json({ result: { network } });
    },
  });
  const service: LookupService = {
    asked,
    answer: null,
    networks,
    stop: () => server.stop(true),
    file: (changes = {}) => ({
      request: { url: `http://127.0.0.1:${server.port}/{{recipient}}`, headers: { "X-Token": "{{token}}" } },
      network: { json: "result.network" },
      networks: { "43235": "Irancell", "43211": "IR-MCI" },
      token: "secret-of-the-service",
      budgetPerDay: 1000,
      ...changes,
    }),
  };
  return service;
}
