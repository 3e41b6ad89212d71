/** The hosts of a route in order: decides which one a bind tries next. */

import type { JsonFileReader } from "../../domain/json-file.ts";
import { readFileField } from "../../fields/file.ts";
import { smppCarrierFields } from "../../fields/smpp-carrier.ts";
import type { CarrierAddress } from "../carrier-network.ts";

const fields = smppCarrierFields;

export type Host = Pick<CarrierAddress, "host" | "port">;

/** The first host, and the second if the file names one. */
export function readHosts(reader: JsonFileReader): readonly [Host, ...Host[]] {
  const first = {
    host: readFileField(reader, "host", fields.host),
    port: readFileField(reader, "port", fields.port),
  };
  const second = reader.section("secondHost", (section) => ({
    host: readFileField(section, "host", fields.host),
    port: readFileField(section, "port", { ...fields["secondHost.port"], otherwise: first.port }),
  }));
  if (second === null) return [first];
  const isSame = second.host.toLowerCase() === first.host.toLowerCase() && second.port === first.port;
  if (isSame) reader.problem("secondHost", { code: "same_host", values: {} });
  return [first, second];
}

/** The position of one bind among the hosts. */
export class HostOrder {
  #index = 0;

  constructor(readonly hosts: readonly [Host, ...Host[]]) {}

  get current(): Host {
    return this.hosts[this.#index] ?? this.hosts[0];
  }

  get isFirst(): boolean {
    return this.#index === 0;
  }

  /** Moves on after a host refused the bind. False once all were tried: after a wait, the first is next. */
  next(): boolean {
    this.#index = (this.#index + 1) % this.hosts.length;
    return this.#index > 0;
  }

  toFirst(): void {
    this.#index = 0;
  }
}
