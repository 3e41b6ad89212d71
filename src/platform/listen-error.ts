/** Explains why an address cannot be listened on, and what to do. */
import { errorCode } from "./error-code.ts";

const notAnAddress = (address: string, flag: string) =>
  `${address} is no address that can be listened on. Choose another ${flag}.`;

const sentenceByErrno: Readonly<Record<string, (address: string, flag: string) => string>> = {
  EADDRINUSE: (address, flag) => `Another process listens on ${address}. Stop it, or choose another ${flag}.`,
  EACCES: (address, flag) =>
    `This user may not listen on ${address}: ports below 1024 take a right of their own. Choose another ${flag}, or install the service.`,
  EADDRNOTAVAIL: (address, flag) =>
    `No interface of this machine has the address of ${address}. Choose another ${flag}.`,
  EINVAL: notAnAddress,
  // The error when a name server refuses the lookup.
  ENXIO: notAnAddress,
};

/** An address cannot be listened on; the message says why. `listener`: the code that commands report. */
export class CannotListen extends Error {
  override readonly name = "CannotListen";
  constructor(
    readonly listener: string,
    sentence: string,
    options: ErrorOptions,
  ) {
    super(sentence, options);
  }
}

/** What is thrown where `listen` could not: `flag` is the setting of the address. */
export function cannotListen(listener: string, reason: unknown, address: string, flag: string): unknown {
  const sentence = listenFailure(reason, address, flag);
  return sentence === null ? reason : new CannotListen(listener, sentence, { cause: reason });
}

/** `flag` is the one that sets the address. Null for any other error. */
export function listenFailure(reason: unknown, address: string, flag: string): string | null {
  const code = errorCode(reason);
  const isListen = reason instanceof Error && "syscall" in reason && reason.syscall === "listen";
  return isListen || code === "EADDRINUSE" ? (sentenceByErrno[code]?.(address, flag) ?? null) : null;
}
