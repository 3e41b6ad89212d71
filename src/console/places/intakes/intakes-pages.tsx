/** Intakes: the list, one intake, and trying a call without sending. */
import { presetOf, recordedCall } from "../../../domain/intake/intake-presets.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import { askedPart, listPart } from "../../page/list-part.ts";
import { document, type PageCall } from "../../page/page.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { type IntakeCredential, IntakePage, IntakesPage, intakesPath } from "./intakes.tsx";

const { shown, button } = usualPages("credentials", { read: "keys.read", change: "keys.read" });

async function all({ api }: PageCall): Promise<IntakeCredential[]> {
  return (await api("GET /credentials")).filter(({ kind, revokedAt }) => kind === "intake" && revokedAt === null);
}

async function intakeOf(call: PageCall<{ readonly name: string }>) {
  const { name } = call.params;
  const intake = (await all(call)).find((one) => one.name === name);
  if (intake === undefined) throw new OperatorError("credential_not_found");
  return { intake, calls: await call.api("GET /intakes/:name/calls", { name }) };
}

const noCall = { body: "", contentType: "application/json", query: "" };

export const intakesPages = [
  shown(intakesPath, async (call) => (
    <IntakesPage intakes={listPart(await all(call), askedPart(call.query), ({ name }) => name)} />
  )),
  shown(`${intakesPath}/:name`, async (call) => {
    const found = await intakeOf(call);
    const preset = presetOf(found.intake.template);
    return <IntakePage {...found} texts={preset === null ? noCall : recordedCall(preset)} tried={null} />;
  }),
  button(`${intakesPath}/:name/test`, async (call) => {
    const { api, form, params } = call;
    const texts = { body: form.raw("body"), contentType: form.text("contentType"), query: form.raw("query") };
    const tried = await api("POST /intakes/:name/test", { name: params.name, ...texts });
    return document(<IntakePage {...(await intakeOf(call))} {...{ texts, tried }} />);
  }),
];
