/** Whether a service at rest keeps anything of requests that it refused or answered: objects are counted before and after many. */
import { heapStats } from "bun:jsc";
import type { ApiRequest } from "./customers.ts";
import type { World } from "./world.ts";

/** One seed in so many. */
const everySeeds = 8;
const atSeed = 2;
const requests = 8_000;
/** What a program keeps. Compiled code and the shapes of objects come and go by thousands, as the engine likes. */
const kept = ["Object", "Array", "Map", "Set", "Function", "Promise", "Error", "Uint8Array", "ArrayBuffer", "string"];
/** Whatever is kept of one request in four is an object and a string at least; up to 1,200 more were seen where nothing is. */
const objectsMax = requests / 4;
/** What waits for an answer is over by then. */
const settleMs = 60_000;

function requestOf(number: number, code: string): ApiRequest {
  const name = String(number).padStart(8, "0");
  switch (number % 4) {
    case 0:
      return { method: "GET", path: `/v1/messages/${code}` };
    case 1:
      return { method: "GET", path: `/v1/messages/01KE70${name}`.padEnd(39, "0") };
    case 2:
      return { method: "POST", path: "/v1/messages", key: name, body: { recipient: name } };
    default:
      return { method: "GET", path: `/v1/nothing/${name}` };
  }
}

function ask(world: World, first: number, code: string): void {
  for (let number = first; number < first + requests; number += 1) {
    const answered = new Promise((resolve) => world.ask(requestOf(number, code), resolve));
    world.drive(answered);
  }
  world.runFor(settleMs);
}

function objects(): number {
  Bun.gc(true);
  const { objectTypeCounts } = heapStats();
  return kept.reduce((sum, type) => sum + (objectTypeCounts[type] ?? 0), 0);
}

export function judgeMemory(world: World): void {
  if (world.plan.seed % everySeeds !== atSeed) return;
  const code = world.model.messages.find((message) => message.code !== null)?.code ?? "";
  // The first ones fill what is kept for good, and warm the code.
  ask(world, 0, code);
  const before = objects();
  ask(world, requests, code);
  const more = objects() - before;
  if (more > objectsMax) world.journal.violated("bounded", `${requests} requests left ${more} objects`);
}
