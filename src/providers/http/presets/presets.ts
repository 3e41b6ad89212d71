/** The carriers that an operator need only name: each preset expands to a whole template. */
import {
  type CarrierPresetName,
  type Credential,
  credentials,
  isChannelPreset,
} from "../../../domain/carrier-preset.ts";
import { JsonFileReader, required } from "../../../domain/json-file.ts";
import { readCallerRules } from "../caller-file.ts";
import type { HttpTemplate } from "../provider-template.ts";
import { readTemplate } from "../template-file.ts";
import { infobip } from "./infobip.ts";
import { kannel } from "./kannel.ts";
import { kavenegar } from "./kavenegar.ts";
import type { CarrierPreset } from "./preset.ts";
import { smsgate } from "./smsgate.ts";
import { smsir } from "./smsir.ts";
import { telegram } from "./telegram.ts";
import { twilio } from "./twilio.ts";
import { twilioCall } from "./twilio-call.ts";

const channels = { telegram, "twilio-call": twilioCall };
export const presets = { kannel, kavenegar, smsir, twilio, infobip, smsgate, ...channels } as const satisfies Record<
  CarrierPresetName,
  CarrierPreset
>;

/** The keys that name the file of a secret credential. */
const fileKeys = {
  username: "username",
  password: "passwordFile",
  token: "tokenFile",
} as const satisfies Record<Credential, string>;

/** A file may say more about who calls than the preset does. */
export function readPreset(reader: JsonFileReader, name: CarrierPresetName): HttpTemplate {
  const preset: CarrierPreset = presets[name];
  for (const credential of credentials) {
    if (preset.needs[credential] === undefined || reader.value(credential) !== undefined) continue;
    reader.problem(fileKeys[credential], required);
  }
  const own = readCallerRules(reader);
  const expanded = new JsonFileReader(preset.template(reader), []);
  const template = readTemplate(expanded, isChannelPreset(name));
  expanded.finish();
  // Problems with a key of the file are reported under its own name.
  if (reader.problems.length === 0) reader.problems.push(...expanded.problems);
  return reader.value("caller") === undefined ? template : { ...template, caller: own };
}
