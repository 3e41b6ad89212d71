/** Jasmin's REST API: the same operations and batches under `/secure/`, with basic authentication and JSON. */
import type { DropInRoute, ServedRequest } from "../protocol.ts";
import type { RawRequest } from "../raw-request.ts";
import { jasminUnavailable, objectAnswer, problemAnswer, restAnswer } from "./answers.ts";
import { sendBatch } from "./batch.ts";
import { balanceOf, type JasminDeps, rateOf, send } from "./operations.ts";
import { type Credentials, readArguments, readJson, restArguments } from "./read-arguments.ts";

type MakeRoute = (name: string, serve: DropInRoute["serve"], unavailable: DropInRoute["unavailable"]) => DropInRoute;

export function openJasminRest(deps: JasminDeps, route: MakeRoute): Readonly<Record<string, DropInRoute>> {
  const signedIn = (serve: (request: RawRequest, credentials: Credentials) => Promise<ServedRequest>) => {
    return async (request: RawRequest): Promise<ServedRequest> => {
      const credentials = basicCredentials(request.header("Authorization"));
      return "answer" in credentials ? credentials : serve(request, credentials);
    };
  };
  return {
    "/secure/send": route(
      "secure send",
      signedIn((request, credentials) => serveSend(request, credentials, deps)),
      jasminUnavailable["/secure/send"],
    ),
    "/secure/sendbatch": route(
      "secure sendbatch",
      signedIn((request, credentials) => serveBatch(request, credentials, deps)),
      jasminUnavailable["/secure/sendbatch"],
    ),
    "/secure/rate": route(
      "secure rate",
      signedIn((request, credentials) => serveRate(request, credentials, deps)),
      jasminUnavailable["/secure/rate"],
    ),
    "/secure/balance": route(
      "secure balance",
      signedIn((request, credentials) => serveBalance(request, credentials, deps)),
      jasminUnavailable["/secure/balance"],
    ),
  };
}

const please = "Please provide a valid Basic auth token";

function basicCredentials(authorization: string | null): Credentials | ServedRequest {
  const refused = (title: string): ServedRequest => ({ answer: problemAnswer(401, title, please), outcome: "sign_in" });
  if (authorization === null) return refused("Authentication required");
  const token = /^\S{1,16} (\S{1,1000})$/.exec(authorization)?.[1];
  if (token === undefined) return refused("Invalid token");
  const [username = "", ...password] = Buffer.from(token, "base64").toString("utf8").split(":");
  return { username, password: password.join(":") };
}

async function serveSend(request: RawRequest, credentials: Credentials, deps: JasminDeps): Promise<ServedRequest> {
  const json = await readJson(request);
  if ("status" in json) return unparseable(json.words);
  const { result, outcome } = await send(restArguments(json.object, credentials), request, deps);
  return { answer: restAnswer(result), outcome };
}

async function serveBatch(request: RawRequest, credentials: Credentials, deps: JasminDeps): Promise<ServedRequest> {
  const json = await readJson(request);
  return "status" in json ? unparseable(json.words) : sendBatch(json.object, credentials, request, deps);
}

async function serveRate(request: RawRequest, credentials: Credentials, deps: JasminDeps): Promise<ServedRequest> {
  const asked = await readArguments(request);
  if ("status" in asked) return unparseable(asked.words);
  const object = Object.fromEntries([...asked].map(([name, { octets }]) => [name, octets.toString("utf8")]));
  const rate = rateOf(restArguments(object, credentials), request, deps);
  if ("result" in rate) return { answer: restAnswer(rate.result, rate.result.words), outcome: rate.outcome };
  return { answer: objectAnswer({ data: rate }), outcome: "asked" };
}

async function serveBalance(request: RawRequest, credentials: Credentials, deps: JasminDeps): Promise<ServedRequest> {
  const balance = balanceOf(restArguments({}, credentials), request, deps);
  if ("result" in balance)
    return { answer: restAnswer(balance.result, balance.result.words), outcome: balance.outcome };
  return { answer: objectAnswer({ data: balance }), outcome: "asked" };
}

const unparseable = (words: string): ServedRequest => ({
  answer: { ...problemAnswer(412, "Cannot parse JSON data", words), closes: true },
  outcome: "unread",
});
