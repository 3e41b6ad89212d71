/** The paths besides `/cgi-bin/sendsms` that credentials name, known without looking at every credential. */
import { readDropInOptions } from "../../domain/drop-in-credential.ts";
import type { CredentialDirectory, CustomerCredential } from "../../messaging/directory/credential-directory.ts";

export class KannelPaths {
  /** By credential. */
  readonly #pathOf = new Map<number, string>();
  #paths: ReadonlySet<string> = new Set();

  constructor(credentials: Pick<CredentialDirectory, "all" | "subscribe">) {
    for (const credential of credentials.all()) this.#keep(credential);
    this.#paths = new Set(this.#pathOf.values());
    credentials.subscribe((credential) => {
      if (this.#keep(credential)) this.#paths = new Set(this.#pathOf.values());
    });
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** True if the credential's path changed. */
  #keep({ id, kind, options, revokedAt }: CustomerCredential): boolean {
    if (kind !== "kannel") return false;
    const before = this.#pathOf.get(id) ?? null;
    const path = revokedAt === null ? readDropInOptions(options).path : null;
    if (path === null) this.#pathOf.delete(id);
    else this.#pathOf.set(id, path);
    return path !== before;
  }
}
