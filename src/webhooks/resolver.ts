/** Resolves a name to addresses, behind an interface so that a test can answer as badly as any name server. */
import { errorCode, errorMessage } from "../platform/error-code.ts";

export interface Resolver {
  /**
   * Every A and AAAA record of a name, in the order of the answer; empty if the name has none.
   * It has no deadline: the caller has one.
   * @throws ResolverFailed if the records are not known (the server failed or timed out).
   */
  resolve(name: string): Promise<readonly string[]>;
}

export class ResolverFailed extends Error {
  override readonly name = "ResolverFailed";
}

const absenceCodes = new Set(["DNS_ENOTFOUND", "DNS_ENODATA", "ENOTFOUND", "ENODATA"]);

/**
 * Uses the host's own resolver configuration, /etc/hosts included, and keeps answers no longer than their TTL. The backend is
 * c-ares because getaddrinfo holds a thread for each name: a few dead name servers would hold them all.
 */
export const systemResolver: Resolver = {
  async resolve(name) {
    try {
      const answers = await Bun.dns.lookup(name, { backend: "c-ares" });
      return [...new Set(answers.map(({ address }) => address))];
    } catch (error) {
      if (absenceCodes.has(errorCode(error))) return [];
      throw new ResolverFailed(errorMessage(error));
    }
  },
};
