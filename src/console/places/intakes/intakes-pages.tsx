/** Intakes: the list, one intake, and trying a call without sending. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { askedPart, listPart } from "../../page/list-part.ts";
import { document, type PageAnswer, type PageCall, page } from "../../page/page.ts";
import { type IntakeCredential, IntakePage, IntakesPage, type IntakeView, intakesPath } from "./intakes.tsx";

type IntakeCall = PageCall<{ readonly name: string }>;

const shellOf = ({ shell }: PageCall) => shell("credentials");

async function all({ api }: PageCall): Promise<IntakeCredential[]> {
  return (await api("GET /credentials")).filter(({ kind, revokedAt }) => kind === "intake" && revokedAt === null);
}

async function list(call: PageCall): Promise<PageAnswer> {
  const part = listPart(await all(call), askedPart(call.query), ({ name }) => name);
  return document(<IntakesPage shell={shellOf(call)} intakes={part} />);
}

const emptyCall: IntakeView["fields"] = { body: "", contentType: "application/json" };

async function intakePage(
  call: IntakeCall,
  fields = emptyCall,
  tried: IntakeView["tried"] = null,
): Promise<PageAnswer> {
  const { name } = call.params;
  const intake = (await all(call)).find((one) => one.name === name);
  if (intake === undefined) throw new OperatorError("credential_not_found");
  const calls = await call.api("GET /intakes/:name/calls", { name });
  return document(<IntakePage shell={shellOf(call)} view={{ intake, calls, fields, tried }} />);
}

async function tryCall(call: IntakeCall): Promise<PageAnswer> {
  const { api, form, params } = call;
  const fields = { body: form.raw("body"), contentType: form.text("contentType") };
  return intakePage(call, fields, await api("POST /intakes/:name/test", { name: params.name, ...fields }));
}

export const intakesPages = [
  page({ method: "GET", path: intakesPath, action: "keys.read", answer: list }),
  page({ method: "GET", path: `${intakesPath}/:name`, action: "keys.read", answer: (call) => intakePage(call) }),
  page({ method: "POST", path: `${intakesPath}/:name/test`, action: "keys.read", answer: tryCall }),
];
