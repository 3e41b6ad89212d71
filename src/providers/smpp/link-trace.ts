/** Reports to a trace what one bind sends and receives, and its state changes. */

import type { Ia5Charset } from "../../domain/credential.ts";
import type { Charsets } from "../../smpp/charset.ts";
import type { WireTap } from "../../smpp/wire.ts";
import type { RouteTrace } from "../route-trace.ts";
import { describePdu } from "./pdu-words.ts";

export class LinkTrace implements WireTap {
  constructor(
    readonly link: string,
    readonly charset: Charsets,
    readonly trace: RouteTrace,
    readonly ia5: Ia5Charset = "latin1",
  ) {}

  get isOn(): boolean {
    return this.trace.isOn;
  }

  wrote(frame: Buffer, isSecret: boolean): void {
    const { link, charset, ia5 } = this;
    const pdu = { ia5, charset: charset.outbound, isOutbound: true, isSecret };
    this.trace.add({ link, direction: "out", words: (view) => describePdu(frame, { ...view, ...pdu }) });
  }

  read(frame: Buffer): void {
    const { link, charset, ia5 } = this;
    const pdu = { ia5, charset: charset.inbound, isOutbound: false, isSecret: false };
    this.trace.add({ link, direction: "in", words: (view) => describePdu(frame, { ...view, ...pdu }) });
  }

  became(state: string): void {
    if (this.isOn) this.trace.add({ link: this.link, direction: "state", words: () => state });
  }
}
