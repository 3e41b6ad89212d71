/** Intakes in memory: each credential of that kind with its template, and the secrets that sign its calls. */
import { parseIntakeFile } from "../../domain/intake/intake-file.ts";
import type { IntakeTemplate } from "../../domain/intake/intake-template.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { CredentialDirectory, CustomerCredential } from "../directory/credential-directory.ts";
import { intakeFileOf } from "./intake-file-of.ts";

export interface IntakesDeps {
  credentials: Pick<CredentialDirectory, "named">;
  sealer: Pick<Sealer, "open">;
  clock: { now(): number };
}

export class Intakes {
  /** A changed credential is a new object. */
  readonly #templates = new WeakMap<CustomerCredential, IntakeTemplate | null>();
  readonly #secrets = new WeakMap<CustomerCredential, readonly [present: string | null, previous: string | null]>();

  constructor(private readonly deps: IntakesDeps) {}

  /**
   * Null if the name is unknown or revoked, or if its template was accepted by an earlier release but is not valid now.
   */
  templateOf(name: string): IntakeTemplate | null {
    const owner = this.deps.credentials.named("intake", name);
    return owner === null ? null : this.template(owner.credential);
  }

  template(credential: CustomerCredential): IntakeTemplate | null {
    const known = this.#templates.get(credential);
    if (known !== undefined) return known;
    const parsed = parseIntakeFile(intakeFileOf(credential.options));
    const template = "options" in parsed ? parsed.options : null;
    this.#templates.set(credential, template);
    return template;
  }

  /** Secrets that may sign its calls: the current one, and the previous one while it is valid. */
  secrets(credential: CustomerCredential): string[] {
    const { sealer, clock } = this.deps;
    const opened = (sealed: Uint8Array | null) => (sealed === null ? null : sealer.open(sealed));
    const known = this.#secrets.get(credential) ?? [opened(credential.sealedSecret), opened(credential.previousSealed)];
    this.#secrets.set(credential, known);
    const [present, previous] = known;
    const isPreviousGood = previous !== null && (credential.previousUntil ?? 0) > clock.now();
    return [...(present === null ? [] : [present]), ...(isPreviousGood ? [previous] : [])];
  }
}
