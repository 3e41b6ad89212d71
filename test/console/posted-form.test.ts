/** Forms with files are read as they arrive, in pieces that may end anywhere. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { FormRefused, typedBesideFilesMax, UserForms } from "../../src/console/server/posted-form.ts";
import { OperatorError } from "../../src/domain/operator-error.ts";

const boundary = "----form";
const encoder = new TextEncoder();

function read(body: BodyInit, type = `multipart/form-data; boundary=${boundary}`): Promise<FormData> {
  const request = new Request("http://localhost/", { method: "POST", body, headers: { "Content-Type": type } });
  return new UserForms().read(request, 1);
}

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

test("fields and files come whole, wherever the pieces of the body end", async () => {
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

test("what is no form, or no form of a page, is refused", async () => {
  const field: Part = { name: "a", fileName: null, content: "" };
  const whole = bodyOf([field]);
  const wrong: [string, string?][] = [
    [whole.slice(0, -8)],
    ["hello"],
    [whole, "multipart/form-data"],
    [whole.replaceAll(boundary, "b".repeat(300)), `multipart/form-data; boundary=${"b".repeat(300)}`],
    [bodyOf(Array.from({ length: 1_001 }, () => field))],
    [bodyOf([{ ...field, name: "n".repeat(5_000) }])],
  ];
  for (const [body, type] of wrong) await expect(read(body, type)).rejects.toBeInstanceOf(OperatorError);
  const typed = { ...field, content: "x".repeat(typedBesideFilesMax / 2 + 1) };
  await expect(read(bodyOf([typed, typed]))).rejects.toBeInstanceOf(FormRefused);
  expect([...(await read(bodyOf([typed, { ...typed, fileName: "" }])))]).toHaveLength(2);
});
