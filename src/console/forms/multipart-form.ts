/**
 * Reads a form with files as it arrives, one slice per turn of the event loop: parsed in one go, 16 MiB blocked it for
 * up to 0.6 s.
 */
import { getMultipartBoundary, MultipartParser, type MultipartPart } from "@remix-run/multipart-parser";
import { untilAborted } from "../../platform/body-pieces.ts";
import { Slices } from "../../platform/next-turn.ts";

/** A boundary, RFC 2046 §5.1.1. The parser never finishes with one of 256 characters or more. */
const boundaryLengthMax = 70;
const partHeaderBytesMax = 4 * 1024;
const sliceBytes = 64 * 1024;

export const isMultipart = ({ headers }: Request): boolean => isOfType(headers, "multipart/form-data");
export const isUrlencoded = ({ headers }: Request): boolean => isOfType(headers, "application/x-www-form-urlencoded");

const isOfType = (headers: Headers, type: string): boolean =>
  headers.get("Content-Type")?.slice(0, type.length).toLowerCase() === type;

/**
 * The parts in order. Throws if it is not a form, if a form has more than `partsMax` parts, and with the reason of
 * `signal`.
 */
export async function* formParts(
  request: Request,
  partsMax: number,
  signal: AbortSignal,
): AsyncGenerator<MultipartPart> {
  const boundary = getMultipartBoundary(request.headers.get("Content-Type") ?? "")?.trim() ?? "";
  if (boundary === "" || boundary.length > boundaryLengthMax) throw new Error("It has no boundary between its parts.");
  const parser = new MultipartParser(boundary, {
    maxParts: partsMax,
    maxHeaderSize: partHeaderBytesMax,
    // The listener limits the whole body.
    maxFileSize: Number.POSITIVE_INFINITY,
  });
  const slices = new Slices();
  for await (const chunk of untilAborted(request.body, signal)) {
    for (let from = 0; from < chunk.length; from += sliceBytes) {
      if (!hasEnded(parser)) yield* parser.write(chunk.subarray(from, from + sliceBytes));
      await slices.pause();
    }
  }
  parser.finish();
}

/**
 * The line break that browsers write after the last part belongs to no part; in a slice of its own, the parser rejects
 * it.
 */
function hasEnded(parser: MultipartParser): boolean {
  try {
    parser.finish();
    return true;
  } catch {
    return false;
  }
}

/** A field's text with its line breaks normalised as in a form: a million CR LF pairs take 0.1 s. */
export async function partText({ content }: MultipartPart): Promise<string> {
  const decoder = new TextDecoder();
  const slices = new Slices();
  let [text, held] = ["", ""];
  for (const bytes of content) {
    const piece = held + decoder.decode(bytes, { stream: true });
    held = piece.endsWith("\r") ? "\r" : "";
    text += piece.slice(0, piece.length - held.length).replaceAll("\r\n", "\n");
    await slices.pause();
  }
  return text + held + decoder.decode();
}
