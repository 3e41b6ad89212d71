/** Fields of a multipart form (RFC 7578), counted as they are found; files are skipped. */

const boundaryMax = 70;
const headOctetsMax = 2_048;
const lineEnd = Buffer.from("\r\n");
const headEnd = Buffer.from("\r\n\r\n");

/** Null if there are more than `fieldsMax`. Empty if the body is not such a form. */
export function multipartFields(contentType: string, octets: Uint8Array, fieldsMax: number): URLSearchParams | null {
  const fields = new URLSearchParams();
  const boundary = boundaryOf(contentType);
  if (boundary === null) return fields;
  const body = Buffer.from(octets.buffer, octets.byteOffset, octets.length);
  const mark = Buffer.from(`--${boundary}`, "latin1");
  let [at, count] = [body.indexOf(mark), 0];
  while (at !== -1) {
    const begins = at + mark.length;
    // Two hyphens after the boundary end the form.
    if (body.indexOf(lineEnd, begins) !== begins) return fields;
    const ends = body.indexOf(Buffer.concat([lineEnd, mark]), begins);
    if (ends === -1) return fields;
    count += 1;
    if (count > fieldsMax) return null;
    addField(fields, body.subarray(begins + lineEnd.length, ends));
    at = ends + lineEnd.length;
  }
  return fields;
}

function boundaryOf(contentType: string): string | null {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType.slice(0, 256));
  const boundary = found?.[1] ?? found?.[2] ?? null;
  return boundary === null || boundary.length > boundaryMax ? null : boundary;
}

function addField(fields: URLSearchParams, part: Buffer): void {
  const head = part.subarray(0, headOctetsMax);
  const headLength = head.indexOf(headEnd);
  if (headLength === -1) return;
  const disposition = head
    .toString("utf8", 0, headLength)
    .split("\r\n")
    .find((line) => line.toLowerCase().startsWith("content-disposition:"));
  if (disposition === undefined || /;\s*filename\*?=/i.test(disposition)) return;
  const name = /;\s*name="([^"]{1,200})"/i.exec(disposition)?.[1];
  if (name !== undefined) fields.append(name, part.toString("utf8", headLength + headEnd.length));
}
