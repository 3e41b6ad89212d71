/** A capture file of one TCP stream, for programs that decode a protocol by themselves. */

const rawIpv4 = 101;
const headerOctets = 40;
const payloadOctetsMax = 60_000;

/** The stream's octets, each piece in a packet of its own (or several, if it is longer than one holds). */
export function captureOf(pieces: readonly Buffer[], port: number): Buffer {
  const file = Buffer.alloc(24);
  file.writeUInt32LE(0xa1b2c3d4, 0);
  file.writeUInt16LE(2, 4);
  file.writeUInt16LE(4, 6);
  file.writeUInt32LE(0x40000, 16);
  file.writeUInt32LE(rawIpv4, 20);
  let sequence = 1;
  const packets = pieces.flatMap((piece) => {
    const parts: Buffer[] = [];
    for (let from = 0; from < piece.length; from += payloadOctetsMax) {
      const payload = piece.subarray(from, from + payloadOctetsMax);
      parts.push(packetOf(payload, sequence, port));
      sequence += payload.length;
    }
    return parts;
  });
  return Buffer.concat([file, ...packets]);
}

/** From 192.0.2.1 to 192.0.2.2, without checksums. */
function packetOf(payload: Buffer, sequence: number, port: number): Buffer {
  const length = headerOctets + payload.length;
  const head = Buffer.alloc(16 + headerOctets);
  head.writeUInt32LE(length, 8);
  head.writeUInt32LE(length, 12);
  const [ip, tcp] = [head.subarray(16, 36), head.subarray(36)];
  ip.set([0x45, 0, length >> 8, length & 0xff]);
  ip.set([64, 6, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2], 8);
  tcp.writeUInt16BE(port, 0);
  tcp.writeUInt16BE(40_000, 2);
  tcp.writeUInt32BE(sequence >>> 0, 4);
  // Five words of header; PSH and ACK.
  tcp.set([0x50, 0x18, 0xff, 0xff], 12);
  return Buffer.concat([head, payload]);
}
