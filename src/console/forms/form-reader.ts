/** Reads the form of a POST, up to the size that its sender may post, whatever its Content-Length says. */
import { MaxPartsExceededError } from "@remix-run/multipart-parser";
import { clientOf } from "../../domain/client-address.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import { urlencodedFields } from "../../domain/urlencoded-fields.ts";
import { untilAborted } from "../../platform/body-pieces.ts";
import type { Clock } from "../../platform/clock.ts";
import type { FormEntries } from "./form-fields.ts";
import { FormRefused } from "./form-refusal.ts";
import { formParts, isMultipart, isUrlencoded, partText } from "./multipart-form.ts";

/** For forms that anybody may post: a name, a password, the return address. */
export const openFormBytesMax = 64 * 1024;
export const openFormFieldsMax = 64;
/** For forms without files. */
export const typedFormBytesMax = 256 * 1024;
/** Pages have a few dozen fields, lists a few hundred. */
export const typedFormFieldsMax = 1_000;
/** For the typed fields of a form with files: enough for 50,000 numbers. */
export const typedBesideFilesMax = 2 * 1024 * 1024;
/** Per user at a time: an upload stays in memory until it is complete. */
export const fileFormsMax = 2;

const openForm: FormLimits = { bytesMax: openFormBytesMax, fieldsMax: openFormFieldsMax };
const typedForm: FormLimits = { bytesMax: typedFormBytesMax, fieldsMax: typedFormFieldsMax };
const formWithFiles: FormLimits = { bytesMax: Number.POSITIVE_INFINITY, fieldsMax: typedFormFieldsMax };

/** Per user, or per client address: several people behind one address may sign in at the same time. */
export const formsOfSenderMax = 8;
export const strangersFormsMax = 64;
const usersFormsMax = 64;
export const openFormArrivesMs = 10_000;
const typedFormArrivesMs = 30_000;
/** On a 256 kbit/s line, sixteen megabytes take nine minutes. */
const uploadArrivesMs = 15 * 60_000;

/**
 * One per listener. Each method throws FormRefused, and OperatorError `invalid` if a form with files cannot be read.
 */
export class FormReader {
  readonly #ofStrangers: ReadingPlaces<string>;
  readonly #ofUsers: ReadingPlaces<number>;
  readonly #uploads: ReadingPlaces<number>;

  constructor(clock: Pick<Clock, "after">) {
    const places = { clock, senderMax: formsOfSenderMax };
    this.#ofStrangers = new ReadingPlaces({ ...places, allMax: strangersFormsMax, arrivesMsMax: openFormArrivesMs });
    this.#ofUsers = new ReadingPlaces({ ...places, allMax: usersFormsMax, arrivesMsMax: typedFormArrivesMs });
    this.#uploads = new ReadingPlaces({
      clock,
      senderMax: fileFormsMax,
      allMax: Number.POSITIVE_INFINITY,
      arrivesMsMax: uploadArrivesMs,
    });
  }

  /** For senders who are not signed in: none of these pages accepts a file. */
  async ofStranger(request: Request, address: string): Promise<FormEntries> {
    assertForm(request, openForm);
    if (!isUrlencoded(request)) throw noForm();
    return this.#ofStrangers.read(clientOf(address), (signal) => urlencodedForm(request, openForm, signal));
  }

  /** For a user whose session has ended. */
  async ofFormerUser(request: Request, address: string): Promise<FormEntries> {
    if (!isMultipart(request)) return this.ofStranger(request, address);
    assertForm(request, openForm);
    return this.#ofStrangers.read(clientOf(address), (signal) => multipartForm(request, openForm, signal));
  }

  /** For a signed-in user; with files, the form may be as large as the listener accepts. */
  async ofUser(request: Request, userId: number): Promise<FormEntries> {
    if (isMultipart(request)) {
      assertForm(request, formWithFiles);
      return this.#uploads.read(userId, (signal) => multipartForm(request, formWithFiles, signal));
    }
    assertForm(request, typedForm);
    if (!isUrlencoded(request)) throw noForm();
    return this.#ofUsers.read(userId, (signal) => urlencodedForm(request, typedForm, signal));
  }
}

const noForm = () => new FormRefused("noForm");

function assertForm({ headers }: Request, limits: FormLimits): void {
  if (headers.has("Transfer-Encoding")) throw new FormRefused("noLength");
  if (Number(headers.get("Content-Length")) > limits.bytesMax) throw tooManyBytes(limits);
}

async function multipartForm(request: Request, limits: FormLimits, signal: AbortSignal): Promise<FormData> {
  const form = new FormData();
  let typedBytes = 0;
  try {
    for await (const part of formParts(request, limits.fieldsMax, signal)) {
      const name = part.name ?? "";
      if (part.isFile) {
        form.append(name, new File([part.arrayBuffer], part.filename ?? ""));
        continue;
      }
      typedBytes += part.size;
      if (typedBytes > typedBesideFilesMax) throw new FormRefused("tooMuchTyped", typedBesideFilesMax);
      form.append(name, await partText(part));
    }
  } catch (reason) {
    if (reason instanceof FormRefused) throw reason;
    if (reason instanceof MaxPartsExceededError) throw tooManyFields(limits);
    throw new OperatorError("invalid", { code: "form_unreadable", values: { reason: String(reason) } });
  }
  return form;
}

export interface FormLimits {
  bytesMax: number;
  fieldsMax: number;
}

const ampersand = 0x26;

/** @throws FormRefused if `limits` are exceeded; the reason of `signal` if it aborts */
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

/** The octets of a form with no more ampersands than `fieldsMax` fields need. */
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

/** Stops counting at `max`. */
function ampersandsIn(chunk: Uint8Array, max: number): number {
  let count = 0;
  for (let at = chunk.indexOf(ampersand); at !== -1 && count < max; at = chunk.indexOf(ampersand, at + 1)) count += 1;
  return count;
}

export const tooManyBytes = ({ bytesMax }: Pick<FormLimits, "bytesMax">) => new FormRefused("tooManyBytes", bytesMax);
export const tooManyFields = ({ fieldsMax }: Pick<FormLimits, "fieldsMax">) =>
  new FormRefused("tooManyFields", fieldsMax);

export interface ReadingPlacesOptions {
  clock: Pick<Clock, "after">;
  /** Per sender. */
  senderMax: number;
  allMax: number;
  /** The time in which a whole form must arrive. */
  arrivesMsMax: number;
}

interface Reading<Sender> {
  sender: Sender;
  abort: AbortController;
}

export class ReadingPlaces<Sender> {
  /** Oldest first. */
  readonly #readings = new Set<Reading<Sender>>();

  constructor(private readonly options: ReadingPlacesOptions) {}

  /** `read` must stop when its signal aborts. @throws FormRefused for one form too many, and whatever `read` throws */
  async read<Form>(sender: Sender, read: (signal: AbortSignal) => Promise<Form>): Promise<Form> {
    const { clock, senderMax, allMax, arrivesMsMax } = this.options;
    const ofSender = [...this.#readings].filter((one) => one.sender === sender).length;
    if (ofSender >= senderMax) throw new FormRefused("othersArrive");
    // A browser's form arrives at once. If every place is taken, forms that never end take them, so the oldest has to
    // go.
    if (this.#readings.size >= allMax) this.#endOldest();
    const reading = { sender, abort: new AbortController() };
    this.#readings.add(reading);
    const deadline = clock.after(arrivesMsMax, () => reading.abort.abort(new FormRefused("tooSlow")));
    try {
      return await read(reading.abort.signal);
    } finally {
      deadline.cancel();
      this.#readings.delete(reading);
    }
  }

  #endOldest(): void {
    for (const oldest of this.#readings) {
      this.#readings.delete(oldest);
      oldest.abort.abort(new FormRefused("crowded"));
      return;
    }
  }
}
