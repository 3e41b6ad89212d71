/**
 * Stops accepting connections when file descriptors run out: otherwise the event loop would retry the same one forever
 * (90 % CPU).
 */
import { dlopen, FFIType, ptr } from "bun:ffi";
import { closeSync, openSync, readFileSync } from "node:fs";
import type { Clock, Timer } from "./clock.ts";
import { errorCode } from "./error-code.ts";
import type { Logger } from "./log.ts";
import { listenersOn } from "./port-steering.ts";

const tickMs = 250;
/** Reserved for the database, routes, callbacks and the operator's socket; less if the limit is low. */
const keptFreeMax = 256;
/** Descriptors held open, to be released when none is left. */
const spareCount = 4;

const solSocket = 1;
const attachFilter = 26;
const detachFilter = 27;
const acceptsConnections = 30;
const nonBlocking = 0o4000;
/** BPF_RET | BPF_K with 0: the packet is dropped, and the client retries. */
const returnConstant = 0x06;

export interface DescriptorGuardDeps {
  clock: Pick<Clock, "after">;
  log: Logger;
  /** Of the listeners that strangers reach. */
  ports: readonly number[];
}

export class DescriptorGuard {
  readonly #limit = descriptorLimit();
  readonly #keptFree = Math.min(keptFreeMax, Math.floor(this.#limit / 8));
  readonly #libc = openLibc();
  #listeners: number[] = [];
  #spare: number[] = [];
  #timer: Timer;
  #paused = false;

  constructor(private readonly deps: DescriptorGuardDeps) {
    this.#fillSpare();
    // Delayed, because reading the kernel's table of connections takes 3.5 ms and startup need not wait for it.
    this.#timer = deps.clock.after(tickMs, () => {
      this.listenersChanged();
      this.#timer = this.#next();
    });
  }

  /** The ports' listeners have changed. Releases the spare descriptors in case none are left to find the new ones. */
  listenersChanged(): void {
    for (const descriptor of this.#spare.splice(0)) closeSync(descriptor);
    this.#listeners = this.deps.ports.flatMap(listenersOn);
    this.#fillSpare();
  }

  stop(): void {
    this.#timer.cancel();
    for (const descriptor of this.#spare.splice(0)) closeSync(descriptor);
    this.#libc.close();
  }

  #next(): Timer {
    return this.deps.clock.after(tickMs, () => {
      this.#look();
      this.#timer = this.#next();
    });
  }

  #look(): void {
    const lowest = lowestFree();
    if (lowest === null || lowest >= this.#limit - this.#keptFree) this.#pause();
    else if (this.#paused && lowest < this.#limit - 2 * this.#keptFree) this.#resume();
    if (lowest === null) this.#refuseWaiting();
    this.#fillSpare();
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    const instruction = new DataView(new ArrayBuffer(8));
    instruction.setUint16(0, returnConstant, true);
    const program = new DataView(new ArrayBuffer(16));
    program.setUint16(0, 1, true);
    program.setBigUint64(8, BigInt(ptr(instruction)), true);
    this.#setOnListeners(attachFilter, program);
    const { log } = this.deps;
    log.error({ limit: this.#limit }, "files are running out: no more connections are taken (LimitNOFILE of the unit)");
  }

  #resume(): void {
    this.#paused = false;
    this.#setOnListeners(detachFilter, new DataView(new ArrayBuffer(4)));
    this.deps.log.warn("connections are taken again");
  }

  #setOnListeners(option: number, value: DataView): void {
    // A replaced listener has closed, and its number may belong to a client's connection by now.
    this.#listeners = this.#listeners.filter((descriptor) => this.#isListener(descriptor));
    for (const listener of this.#listeners) {
      this.#libc.symbols.setsockopt(listener, solSocket, option, ptr(value), value.byteLength);
    }
  }

  #isListener(descriptor: number): boolean {
    const answer = new Int32Array([0]);
    const length = new Int32Array([answer.byteLength]);
    this.#libc.symbols.getsockopt(descriptor, solSocket, acceptsConnections, ptr(answer), ptr(length));
    return answer[0] === 1;
  }

  /**
   * Connections waiting to be accepted wake the loop endlessly. Nothing has been read from them, so their clients
   * retry.
   */
  #refuseWaiting(): void {
    const given = this.#spare.pop();
    if (given === undefined) return;
    closeSync(given);
    for (const listener of this.#listeners) {
      for (let taken = this.#accept(listener); taken >= 0; taken = this.#accept(listener)) closeSync(taken);
    }
  }

  #accept(listener: number): number {
    return this.#libc.symbols.accept4(listener, null, null, nonBlocking);
  }

  #fillSpare(): void {
    while (this.#spare.length < spareCount) {
      const descriptor = openNull();
      if (descriptor === null) return;
      this.#spare.push(descriptor);
    }
  }
}

function openLibc() {
  return dlopen("libc.so.6", {
    setsockopt: { args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.u32], returns: FFIType.i32 },
    getsockopt: { args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
    accept4: { args: [FFIType.i32, FFIType.ptr, FFIType.ptr, FFIType.i32], returns: FFIType.i32 },
  });
}

/** The soft limit of getrlimit(2). */
function descriptorLimit(): number {
  const [, soft = ""] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return soft === "" ? Number.MAX_SAFE_INTEGER : Number(soft);
}

/** The kernel assigns the lowest free number; null if there is none. */
function lowestFree(): number | null {
  const descriptor = openNull();
  if (descriptor !== null) closeSync(descriptor);
  return descriptor;
}

function openNull(): number | null {
  try {
    return openSync("/dev/null", "r");
  } catch (reason) {
    if (["EMFILE", "ENFILE"].includes(errorCode(reason))) return null;
    throw reason;
  }
}
