/**
 * Jasmin's HTTP API: `/send`, `/rate`, `/balance`, `/ping`, and its REST API under `/secure/` (Jasmin 0.11, "HTTP API",
 * "RESTful API").
 */
import type { DropInAnswer, DropInProtocol, DropInRoute, ServedRequest } from "../protocol.ts";
import type { RawRequest } from "../raw-request.ts";
import { jasminUnavailable, jsonAnswer, objectAnswer, sendAnswer } from "./answers.ts";
import { balanceOf, type JasminDeps, rateOf, send } from "./operations.ts";
import { readArguments } from "./read-arguments.ts";
import { openJasminRest } from "./rest.ts";

const methods = ["GET", "HEAD", "POST"];

export function openJasmin(deps: JasminDeps): DropInProtocol {
  const route = (name: string, serve: DropInRoute["serve"], unavailable: DropInAnswer): DropInRoute => ({
    name: `jasmin ${name}`,
    serve: (request) => (methods.includes(request.method) ? serve(request) : Promise.resolve(wrongMethod)),
    unavailable,
  });
  const routes: Readonly<Record<string, DropInRoute>> = {
    "/send": route("send", (request) => serveSend(request, deps), jasminUnavailable["/send"]),
    "/rate": route("rate", (request) => serveRate(request, deps), jasminUnavailable["/rate"]),
    "/balance": route("balance", (request) => serveBalance(request, deps), jasminUnavailable["/balance"]),
    "/ping": route("ping", async () => ({ answer: pong, outcome: "asked" }), jasminUnavailable["/ping"]),
    ...openJasminRest(deps, route),
  };
  return { find: (path) => routes[path] ?? null };
}

const wrongMethod: ServedRequest = {
  answer: { status: 405, contentType: "text/plain", body: "Method not allowed", closes: true },
  outcome: "unread",
};
const pong: DropInAnswer = { status: 200, contentType: "text/html", body: "Jasmin/PONG" };

async function serveSend(request: RawRequest, deps: JasminDeps): Promise<ServedRequest> {
  const given = await readArguments(request);
  if ("status" in given) return { answer: { ...sendAnswer(given), closes: true }, outcome: "unread" };
  const { result, outcome } = await send(given, request, deps);
  return { answer: sendAnswer(result), outcome };
}

async function serveRate(request: RawRequest, deps: JasminDeps): Promise<ServedRequest> {
  const given = await readArguments(request);
  if ("status" in given) return { answer: { ...jsonAnswer(given), closes: true }, outcome: "unread" };
  const rate = rateOf(given, request, deps);
  if ("result" in rate) return { answer: jsonAnswer(rate.result), outcome: rate.outcome };
  return { answer: objectAnswer(rate), outcome: "asked" };
}

async function serveBalance(request: RawRequest, deps: JasminDeps): Promise<ServedRequest> {
  const given = await readArguments(request);
  if ("status" in given) return { answer: { ...jsonAnswer(given), closes: true }, outcome: "unread" };
  const balance = balanceOf(given, request, deps);
  if ("result" in balance) return { answer: jsonAnswer(balance.result), outcome: balance.outcome };
  return { answer: objectAnswer(balance), outcome: "asked" };
}
