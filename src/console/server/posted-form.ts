/** Reads the form of a POST: no larger than its sender may post, whatever its length is said to be. */
import { OperatorError } from "../../domain/operator-error.ts";
import { formParts, isMultipart, partText } from "./multipart-form.ts";

/** Of a form that anybody may post: a name, a password, the way back. */
export const openFormBytesMax = 64 * 1024;
/** Of a form without files: half a million empty fields took a second to read, in which nobody was served. */
export const typedFormBytesMax = 256 * 1024;
/** Of what is typed beside files: 50,000 numbers and more. */
export const typedBesideFilesMax = 2 * 1024 * 1024;
/** Of one user at a time: an upload holds its bytes for as long as it takes. */
export const fileFormsMax = 2;

/** The form is not read; the message says why. */
export class FormRefused extends Error {
  override readonly name = "FormRefused";
  readonly status: 411 | 413 | 429;

  constructor(status: FormRefused["status"], message: string) {
    super(message);
    this.status = status;
  }
}

/** @throws FormRefused, OperatorError `invalid` where it is no form. */
export async function postedForm(request: Request, bytesMax: number): Promise<FormData> {
  return measured(request, bytesMax, () => request.formData());
}

/** With files. @throws as `postedForm` */
async function postedFiles(request: Request): Promise<FormData> {
  return measured(request, Number.POSITIVE_INFINITY, async () => {
    const form = new FormData();
    let typedBytes = 0;
    for await (const part of formParts(request)) {
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
    return form;
  });
}

async function measured(request: Request, bytesMax: number, read: () => Promise<FormData>): Promise<FormData> {
  if (request.headers.has("Transfer-Encoding")) throw new FormRefused(411, "A form must say its length.");
  if (Number(request.headers.get("Content-Length")) > bytesMax) {
    throw new FormRefused(413, `This form may have at most ${bytesMax} bytes.`);
  }
  try {
    return await read();
  } catch (reason) {
    if (reason instanceof FormRefused) throw reason;
    throw new OperatorError("invalid", `The form could not be read: ${reason}`);
  }
}

/** The forms of who has signed in; those with files are as large as the listener takes. */
export class UserForms {
  readonly #withFiles = new Map<number, number>();

  /** @throws as `postedForm` */
  async read(request: Request, userId: number): Promise<FormData> {
    if (!isMultipart(request)) return postedForm(request, typedFormBytesMax);
    const count = (this.#withFiles.get(userId) ?? 0) + 1;
    if (count > fileFormsMax) throw new FormRefused(429, "Wait until the other uploads have ended.");
    this.#withFiles.set(userId, count);
    try {
      return await postedFiles(request);
    } finally {
      const left = (this.#withFiles.get(userId) ?? 1) - 1;
      if (left === 0) this.#withFiles.delete(userId);
      else this.#withFiles.set(userId, left);
    }
  }
}
