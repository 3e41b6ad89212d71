/** The hosts of a route in order: which of them a bind tries next. */
import type { CarrierAddress } from "../connection.ts";
import type { RouteFileReader } from "../route-file.ts";

export const hostName = { lengthMax: 253, pattern: /^[A-Za-z0-9._:-]+$/, shape: "host_name" as const };

export type Host = Pick<CarrierAddress, "host" | "port">;

/** The first host, and the second where the file names one. */
export function readHosts(reader: RouteFileReader): readonly [Host, ...Host[]] {
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

  /** After a host that did not take the bind. False once all were tried: the first comes again, after a wait. */
  next(): boolean {
    this.#index = (this.#index + 1) % this.hosts.length;
    return this.#index > 0;
  }

  toFirst(): void {
    this.#index = 0;
  }
}
