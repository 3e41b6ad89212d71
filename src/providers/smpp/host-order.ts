/** The hosts of a route in order: decides which one a bind tries next. */

import type { JsonFileReader } from "../../domain/json-file.ts";
import type { CarrierAddress } from "../carrier-network.ts";

export const hostName = { lengthMax: 253, pattern: /^[A-Za-z0-9._:-]+$/, shape: "host_name" as const };

export type Host = Pick<CarrierAddress, "host" | "port">;

/** The first host, and the second if the file names one. */
export function readHosts(reader: JsonFileReader): readonly [Host, ...Host[]] {
  const first = {
    host: reader.requiredText("host", hostName),
    port: reader.requiredNumber("port", { min: 1, max: 65_535 }),
  };
  const second = reader.section("secondHost", (section) => ({
    host: section.requiredText("host", hostName),
    port: section.number("port", first.port, { min: 1, max: 65_535 }),
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
