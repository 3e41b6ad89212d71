/**
 * Reads a form without files as it arrives, and counts its fields before any of them is built: 64 KB of empty fields are 32,000,
 * and what is made of them took a hundred times as long as their octets.
 */
import { urlencodedFields } from "../../domain/urlencoded-fields.ts";
import { untilAborted } from "./body-pieces.ts";
import { FormRefused } from "./form-refused.ts";

export interface FormLimits {
  bytesMax: number;
  fieldsMax: number;
}

const ampersand = 0x26;

/** @throws FormRefused for more than `limits`; the reason of `signal` where that stops it. */
export async function urlencodedForm(
  request: Request,
  limits: FormLimits,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  const encoded = new TextDecoder().decode(await counted(request, limits, signal));
  const fields = urlencodedFields(encoded, limits.fieldsMax);
  if (fields === null) throw tooManyFields(limits);
  return fields;
}

/** The octets of a form with no more ampersands than `fieldsMax` fields have. */
async function counted({ body }: Request, limits: FormLimits, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let [bytes, fields] = [0, 1];
  for await (const chunk of untilAborted(body, signal)) {
    bytes += chunk.length;
    if (bytes > limits.bytesMax) throw tooManyBytes(limits);
    fields += ampersandsIn(chunk, limits.fieldsMax);
    if (fields > limits.fieldsMax) throw tooManyFields(limits);
    chunks.push(chunk);
  }
  return Bun.concatArrayBuffers(chunks, bytes, true);
}

/** Up to `max`. */
function ampersandsIn(chunk: Uint8Array, max: number): number {
  let count = 0;
  for (let at = chunk.indexOf(ampersand); at !== -1 && count < max; at = chunk.indexOf(ampersand, at + 1)) count += 1;
  return count;
}

export const tooManyBytes = ({ bytesMax }: Pick<FormLimits, "bytesMax">) =>
  new FormRefused(413, `This form may have at most ${bytesMax} bytes.`);
export const tooManyFields = ({ fieldsMax }: Pick<FormLimits, "fieldsMax">) =>
  new FormRefused(413, `This form may have at most ${fieldsMax} fields.`);
