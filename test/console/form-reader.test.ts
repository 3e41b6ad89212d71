/** Forms are read as they arrive, in pieces that may end anywhere, and no further than their limits. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { FormEntries } from "../../src/console/forms/form-fields.ts";
import {
  FormReader,
  formsOfSenderMax,
  openFormArrivesMs,
  openFormBytesMax,
  openFormFieldsMax,
  strangersFormsMax,
  typedBesideFilesMax,
  typedFormBytesMax,
  typedFormFieldsMax,
} from "../../src/console/forms/form-reader.ts";
import { FormRefused } from "../../src/console/forms/form-refusal.ts";
import { OperatorError } from "../../src/domain/operator-error.ts";
import { ManualClock, settleLoop } from "../support/manual-clock.ts";

const boundary = "----form";
const encoder = new TextEncoder();

function post(body: BodyInit, type = "application/x-www-form-urlencoded"): Request {
  return new Request("http://localhost/", { method: "POST", body, headers: { "Content-Type": type } });
}

const read = (body: BodyInit, type = `multipart/form-data; boundary=${boundary}`): Promise<FormEntries> =>
  new FormReader(new ManualClock()).ofUser(post(body, type), 1);

interface Part {
  name: string;
  /** Null for a text. */
  fileName: string | null;
  content: string;
}

const bodyOf = (parts: readonly Part[]): string =>
  parts
    .map(({ name, fileName, content }) => {
      const file = fileName === null ? "" : `; filename="${fileName}"\r\nContent-Type: text/csv`;
      return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
    })
    .concat(`--${boundary}--\r\n`)
    .join("");

function inPieces(bytes: Uint8Array, length: number): ReadableStream<Uint8Array> {
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      if (from >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(from, from + length));
      from += length;
    },
  });
}

const contents = fc
  .array(fc.constantFrom("\r\n", "\r", "\n", "-", `--${boundary.slice(0, -1)}`, "۰۹۱۲", "😀", "a,b;c"), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join(""));
const part = fc.record<Part>({
  name: fc.constantFrom("file", "recipients", "column-1"),
  fileName: fc.constantFrom(null, "", "list.csv", "فهرست ۱.csv"),
  content: contents,
});

test("fields and files are read whole, however the body is split", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 90 }),
      async (parts, length) => {
        const form = await read(inPieces(encoder.encode(bodyOf(parts)), length));
        const found = await Promise.all(
          [...form].map(async ([name, value]): Promise<Part> => {
            return typeof value === "string"
              ? { name, fileName: null, content: value }
              : { name, fileName: value.name, content: await value.text() };
          }),
        );
        const sent = parts.map(({ content, ...rest }) => {
          return { ...rest, content: rest.fileName === null ? content.replaceAll("\r\n", "\n") : content };
        });
        expect(found).toEqual(sent);
      },
    ),
  );
});

test("a body that is not a form, or not a form of a page, is refused", async () => {
  const field: Part = { name: "a", fileName: null, content: "" };
  const whole = bodyOf([field]);
  const wrong: [string, string?][] = [
    [whole.slice(0, -8)],
    ["hello"],
    [whole, "multipart/form-data"],
    [whole.replaceAll(boundary, "b".repeat(300)), `multipart/form-data; boundary=${"b".repeat(300)}`],
    [bodyOf([{ ...field, name: "n".repeat(5_000) }])],
  ];
  for (const [body, type] of wrong) await expect(read(body, type)).rejects.toBeInstanceOf(OperatorError);
  const fields = (length: number) => bodyOf(Array.from({ length }, () => field));
  expect([...(await read(fields(typedFormFieldsMax)))]).toHaveLength(typedFormFieldsMax);
  await expect(read(fields(typedFormFieldsMax + 1))).rejects.toMatchObject({ status: 413 });
  const typed = { ...field, content: "x".repeat(typedBesideFilesMax / 2 + 1) };
  await expect(read(bodyOf([typed, typed]))).rejects.toBeInstanceOf(FormRefused);
  expect([...(await read(bodyOf([typed, { ...typed, fileName: "" }])))]).toHaveLength(2);
});

const readers = {
  stranger: { bytesMax: openFormBytesMax, fieldsMax: openFormFieldsMax },
  user: { bytesMax: typedFormBytesMax, fieldsMax: typedFormFieldsMax },
} as const;
type Reader = keyof typeof readers;

function readBy(reader: Reader, body: BodyInit): Promise<FormEntries> {
  const forms = new FormReader(new ManualClock());
  return reader === "user" ? forms.ofUser(post(body), 1) : forms.ofStranger(post(body), "192.0.2.1");
}

for (const reader of ["stranger", "user"] as const) {
  const { bytesMax, fieldsMax } = readers[reader];

  test(`a ${reader}'s form is read up to ${fieldsMax} fields and ${bytesMax} bytes`, async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `a=${index}`).join("&");
    expect([...(await readBy(reader, fields(fieldsMax)))]).toHaveLength(fieldsMax);
    const tooMany = { status: 413, message: `This form may have at most ${fieldsMax} fields.` };
    await expect(readBy(reader, fields(fieldsMax + 1))).rejects.toMatchObject(tooMany);
    await expect(readBy(reader, "&".repeat(fieldsMax))).rejects.toMatchObject(tooMany);
    await expect(readBy(reader, inPieces(encoder.encode(fields(fieldsMax + 1)), 7))).rejects.toMatchObject(tooMany);

    const long = (bytes: number) => inPieces(encoder.encode(`a=${"x".repeat(bytes - 2)}`), 16_384);
    expect((await readBy(reader, long(bytesMax))).get("a")).toHaveLength(bytesMax - 2);
    const tooLarge = { status: 413, message: `This form may have at most ${bytesMax} bytes.` };
    await expect(readBy(reader, long(bytesMax + 1))).rejects.toMatchObject(tooLarge);
  });
}

test("a form with too many fields is answered without waiting for its rest", async () => {
  let pieces = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pieces += 1;
      controller.enqueue(encoder.encode("a&a&a&a&a&a&a&a&"));
    },
  });
  await expect(readBy("stranger", endless)).rejects.toMatchObject({ status: 413 });
  await settleLoop();
  expect(pieces).toBeLessThan(2 * (openFormFieldsMax / 8));
});

test("fields are decoded correctly, however the body is split", async () => {
  const body = encoder.encode("name=%D8%B3%D8%A7%D8%B1%D8%A7+%26&?=%&text=سلام&=");
  for (let length = 1; length < body.length; length += 1) {
    const found = [...(await readBy("stranger", inPieces(body, length)))];
    expect(found).toEqual([
      ["name", "سارا &"],
      ["?", "%"],
      ["text", "سلام"],
      ["", ""],
    ]);
  }
});

test("a stranger cannot post files or anything that is not a form", async () => {
  const forms = new FormReader(new ManualClock());
  const field: Part = { name: "a", fileName: null, content: "b" };
  const multipart = () => post(bodyOf([field]), `multipart/form-data; boundary=${boundary}`);
  await expect(forms.ofStranger(multipart(), "192.0.2.1")).rejects.toMatchObject({ status: 400 });
  expect((await forms.ofFormerUser(multipart(), "192.0.2.1")).get("a")).toBe("b");
  await expect(forms.ofUser(post("{}", "application/json"), 1)).rejects.toMatchObject({ status: 400 });
});

describe("forms that never end", () => {
  const endless = () => post(new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) }));
  /** The outcome of each, once there is one. */
  function outcomesOf(readings: readonly Promise<FormEntries>[]): (number | null)[] {
    const outcomes = readings.map((): number | null => null);
    for (const [index, reading] of readings.entries()) {
      reading.catch((reason: unknown) => {
        outcomes[index] = reason instanceof FormRefused ? reason.status : 0;
      });
    }
    return outcomes;
  }

  test("are refused after a while", async () => {
    const clock = new ManualClock();
    const outcomes = outcomesOf([new FormReader(clock).ofStranger(endless(), "192.0.2.1")]);
    await clock.advance(openFormArrivesMs - 1);
    expect(outcomes).toEqual([null]);
    await clock.advance(1);
    expect(outcomes).toEqual([408]);
  });

  test("leave places for other addresses and for users", async () => {
    const forms = new FormReader(new ManualClock());
    const held = Array.from({ length: formsOfSenderMax }, () => forms.ofStranger(endless(), "2001:db8:1:2::1"));
    await expect(forms.ofStranger(post("a=b"), "2001:db8:1:2::2")).rejects.toMatchObject({ status: 429 });
    expect((await forms.ofStranger(post("a=b"), "192.0.2.1")).get("a")).toBe("b");
    expect((await forms.ofUser(post("a=b"), 1)).get("a")).toBe("b");
    expect(outcomesOf(held)).toEqual(held.map(() => null));
  });

  test("give up the oldest place to the next address if all are taken", async () => {
    const forms = new FormReader(new ManualClock());
    const outcomes = outcomesOf(
      Array.from({ length: strangersFormsMax }, (_, index) => forms.ofStranger(endless(), `192.0.2.${index}`)),
    );
    await settleLoop();
    expect(outcomes.every((outcome) => outcome === null)).toBe(true);
    expect((await forms.ofStranger(post("a=b"), "198.51.100.1")).get("a")).toBe("b");
    expect(outcomes).toEqual([429, ...outcomes.slice(1).map(() => null)]);
  });
});
