/** systemd's end of sd_notify: a datagram socket that keeps the notifications it receives. */
import { dlopen, FFIType } from "bun:ffi";

const { i32, u32, u64, i64, ptr } = FFIType;
const unixFamily = 1;
const nonBlockingDatagram = 2 | 0o4000;
const datagramBytesMax = 4096;

export interface NotifySocket {
  path: string;
  /** Everything received since the last call. */
  received(): string[];
  close(): void;
}

export function openNotifySocket(path: string): NotifySocket {
  const libc = dlopen("libc.so.6", {
    socket: { args: [i32, i32, i32], returns: i32 },
    bind: { args: [i32, ptr, u32], returns: i32 },
    recv: { args: [i32, ptr, u64, i32], returns: i64 },
    close: { args: [i32], returns: i32 },
  });
  const { socket, bind, recv, close } = libc.symbols;
  const descriptor = socket(unixFamily, nonBlockingDatagram, 0);
  const name = path.startsWith("@") ? `\0${path.slice(1)}` : `${path}\0`;
  const address = Buffer.concat([Buffer.from([unixFamily, 0]), Buffer.from(name)]);
  if (bind(descriptor, address, address.length) !== 0) throw new Error(`No socket at ${path}`);
  const datagram = Buffer.alloc(datagramBytesMax);
  return {
    path,
    received() {
      const notices: string[] = [];
      for (;;) {
        const bytes = Number(recv(descriptor, datagram, datagram.length, 0));
        if (bytes < 0) return notices;
        notices.push(datagram.toString("utf8", 0, bytes));
      }
    },
    close: () => void close(descriptor),
  };
}
