/** Reports a bind's traffic to its credential's trace; nothing before the bind, which contains the password. */
import type { SmppCredentialOptions } from "../domain/credential.ts";
import type { RouteTrace } from "../providers/route-trace.ts";
import { LinkTrace } from "../providers/smpp/link-trace.ts";
import type { WireTap } from "../smpp/wire.ts";

export class CustomerTap implements WireTap {
  #link: LinkTrace | null = null;

  constructor(
    readonly address: string,
    readonly traceOf: (credentialId: number) => RouteTrace,
  ) {}

  get isOn(): boolean {
    return this.#link?.isOn === true;
  }

  bound(credentialId: number, { charset, ia5 }: Pick<SmppCredentialOptions, "charset" | "ia5">): void {
    const charsets = { outbound: charset, inbound: charset };
    this.#link = new LinkTrace(this.address, charsets, this.traceOf(credentialId), ia5);
  }

  wrote(frame: Buffer, isSecret: boolean): void {
    this.#link?.wrote(frame, isSecret);
  }

  read(frame: Buffer): void {
    this.#link?.read(frame);
  }
}
