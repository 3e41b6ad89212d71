/** Reads a response until it has so many octets, or ends; the rest of the last piece comes with them. */
export async function readUpTo({ body }: Response, octetsMax: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let octets = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    octets += chunk.length;
    if (octets >= octetsMax) break;
  }
  return Buffer.concat(chunks);
}
