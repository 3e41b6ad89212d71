/** Reports the service's state to systemd: sd_notify(3), through libc's sendto, since Bun has no Unix datagram sockets. */
import { dlopen, FFIType } from "bun:ffi";

/** Sends notices to the socket that `NOTIFY_SOCKET` names. */
export interface ServiceNotifier {
  /** Startup is complete: requests are served. */
  ready(): void;
  /** The stop has begun; systemd counts TimeoutStopSec from here. */
  stopping(): void;
  /** A line for `systemctl status`. */
  status(line: string): void;
  /** The watchdog's ping. Without one for `WatchdogSec` systemd kills the process and starts it again. */
  alive(): void;
}

/** systemd asked for notifications, and they cannot be sent. */
export class NotifyFailed extends Error {
  override readonly name = "NotifyFailed";
}

const unixFamily = 1;
const datagram = 2;
const closeOnExec = 0o2_000_000;
/** sun_path of unix(7). */
const pathBytesMax = 108;
/** A line of `systemctl status`; a datagram of this size always fits. */
const statusCharactersMax = 200;

function openLibc() {
  return dlopen("libc.so.6", {
    socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
    sendto: {
      args: [FFIType.i32, FFIType.ptr, FFIType.u64, FFIType.i32, FFIType.ptr, FFIType.u32],
      returns: FFIType.i64,
    },
  }).symbols;
}

/** A notifier for the socket at `path` (a path, or `@name` in the abstract namespace); silent if there is none. */
export function serviceNotifier(path: string | undefined): ServiceNotifier {
  const send = path === undefined || path === "" ? () => {} : sender(path);
  return {
    ready: () => send("READY=1"),
    stopping: () => send("STOPPING=1"),
    status: (line) => send(`STATUS=${line.replaceAll(/\s+/g, " ").slice(0, statusCharactersMax)}`),
    alive: () => send("WATCHDOG=1"),
  };
}

function sender(path: string): (notice: string) => void {
  const address = socketAddress(path);
  const libc = openLibc();
  const descriptor = libc.socket(unixFamily, datagram | closeOnExec, 0);
  if (descriptor < 0) throw new NotifyFailed("No socket could be had to tell systemd how the service is doing.");
  return (notice) => {
    const bytes = Buffer.from(notice);
    const sent = libc.sendto(descriptor, bytes, bytes.length, 0, address, address.length);
    if (Number(sent) !== bytes.length) throw new NotifyFailed(`systemd's socket ${path} does not take ${notice}.`);
  };
}

/** struct sockaddr_un: the family in the machine's byte order (Linux runs little-endian here), then the path. */
function socketAddress(path: string): Buffer {
  const abstract = path.startsWith("@");
  const name = Buffer.from(abstract ? `\0${path.slice(1)}` : `${path}\0`);
  if ((!abstract && !path.startsWith("/")) || name.length > pathBytesMax) {
    throw new NotifyFailed(`NOTIFY_SOCKET is ${path}, which is no place of a socket.`);
  }
  return Buffer.concat([Buffer.from([unixFamily, 0]), name]);
}
