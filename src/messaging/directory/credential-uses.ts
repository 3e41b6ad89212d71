/** Activity of credentials since the service started, for display. */

export interface CredentialTally {
  accepted: number;
  refused: number;
  lastRefusal: { at: number; status: string; words: string } | null;
}

export class CredentialUses {
  readonly #byId = new Map<number, CredentialTally>();

  accepted(credentialId: number, messageCount: number): void {
    this.#of(credentialId).accepted += messageCount;
  }

  /** `words` contains no texts, numbers or secrets. */
  refused(credentialId: number, refusal: { at: number; status: string; words: string }): void {
    const tally = this.#of(credentialId);
    tally.refused += 1;
    tally.lastRefusal = refusal;
  }

  all(): IterableIterator<[number, CredentialTally]> {
    return this.#byId.entries();
  }

  #of(credentialId: number): CredentialTally {
    const known = this.#byId.get(credentialId) ?? { accepted: 0, refused: 0, lastRefusal: null };
    this.#byId.set(credentialId, known);
    return known;
  }
}
