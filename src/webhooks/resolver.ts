/** How a name becomes addresses, behind an interface so that a test can answer as badly as any name server. */
import { errorCode } from "../platform/error-code.ts";

export interface Resolver {
  /**
   * Every A and AAAA record of a name, in the order of the answer; empty where the name has none.
   * It may take for ever: the caller has the deadline.
   * @throws ResolverFailed when there is no telling (a server's failure, a time-out).
   */
  resolve(name: string): Promise<readonly string[]>;
}

export class ResolverFailed extends Error {
  override readonly name = "ResolverFailed";
}

const absenceCodes = new Set(["DNS_ENOTFOUND", "DNS_ENODATA", "ENOTFOUND", "ENODATA"]);

/**
 * The host's own resolver configuration, /etc/hosts included. The c-ares backend is asked by name: getaddrinfo holds a thread for
 * each name, and a few dead name servers would hold them all. It keeps answers no longer than their TTL.
 */
export const systemResolver: Resolver = {
  async resolve(name) {
    try {
      const answers = await Bun.dns.lookup(name, { backend: "c-ares" });
      return [...new Set(answers.map(({ address }) => address))];
    } catch (error) {
      if (absenceCodes.has(errorCode(error))) return [];
      throw new ResolverFailed(error instanceof Error ? error.message : String(error));
    }
  },
};
