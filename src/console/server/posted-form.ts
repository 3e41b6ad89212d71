/** Reads the form of a POST: no larger than its sender may post, whatever its length is said to be. */
import { MaxPartsExceededError } from "@remix-run/multipart-parser";
import { clientOf } from "../../domain/client-address.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import type { Clock } from "../../platform/clock.ts";
import type { FormEntries } from "./form-fields.ts";
import { FormRefused } from "./form-refused.ts";
import { formParts, isMultipart, isUrlencoded, partText } from "./multipart-form.ts";
import { ReadingPlaces } from "./reading-places.ts";
import { type FormLimits, tooManyBytes, tooManyFields, urlencodedForm } from "./urlencoded-form.ts";

/** Of a form that anybody may post: a name, a password, the way back. */
export const openFormBytesMax = 64 * 1024;
export const openFormFieldsMax = 64;
/** Of a form without files. */
export const typedFormBytesMax = 256 * 1024;
/** Pages have a few dozen fields, lists some hundred. */
export const typedFormFieldsMax = 1_000;
/** Of what is typed beside files: 50,000 numbers and more. */
export const typedBesideFilesMax = 2 * 1024 * 1024;
/** Of one user at a time: an upload holds its bytes for as long as it takes. */
export const fileFormsMax = 2;

const openForm: FormLimits = { bytesMax: openFormBytesMax, fieldsMax: openFormFieldsMax };
const typedForm: FormLimits = { bytesMax: typedFormBytesMax, fieldsMax: typedFormFieldsMax };
const formWithFiles: FormLimits = { bytesMax: Number.POSITIVE_INFINITY, fieldsMax: typedFormFieldsMax };

/** Of one user, or of the client at one address: several people behind it sign in at once. */
export const formsOfSenderMax = 8;
export const strangersFormsMax = 64;
const usersFormsMax = 64;
export const openFormArrivesMs = 10_000;
const typedFormArrivesMs = 30_000;
/** On a line of 256 kbit/s sixteen megabytes take nine minutes. */
const uploadArrivesMs = 15 * 60_000;

/** Of one listener. Each throws FormRefused, and OperatorError `invalid` where a form with files cannot be read. */
export class PostedForms {
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

  /** Of anybody: by none of these pages is a file posted. */
  async ofStranger(request: Request, address: string): Promise<FormEntries> {
    assertForm(request, openForm);
    if (!isUrlencoded(request)) throw noForm();
    return this.#ofStrangers.read(clientOf(address), (signal) => urlencodedForm(request, openForm, signal));
  }

  /** Of who was signed in before. */
  async ofFormerUser(request: Request, address: string): Promise<FormEntries> {
    if (!isMultipart(request)) return this.ofStranger(request, address);
    assertForm(request, openForm);
    return this.#ofStrangers.read(clientOf(address), (signal) => multipartForm(request, openForm, signal));
  }

  /** Of who is signed in; with files it is as large as the listener takes. */
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

const noForm = () => new FormRefused(400, "This is no form of a page.");

function assertForm({ headers }: Request, limits: FormLimits): void {
  if (headers.has("Transfer-Encoding")) throw new FormRefused(411, "A form must say its length.");
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
      if (typedBytes > typedBesideFilesMax) {
        throw new FormRefused(413, `What is typed into this form may have at most ${typedBesideFilesMax} bytes.`);
      }
      form.append(name, await partText(part));
    }
  } catch (reason) {
    if (reason instanceof FormRefused) throw reason;
    if (reason instanceof MaxPartsExceededError) throw tooManyFields(limits);
    throw new OperatorError("invalid", `The form could not be read: ${reason}`);
  }
  return form;
}
