/** What customers sign in with in protocols with their own names and passwords; loaded on first use. */
import { credentialSecretsPurpose } from "../domain/credential.ts";
import { CredentialDirectory } from "../messaging/directory/credential-directory.ts";
import { CredentialGate } from "../messaging/directory/credential-gate.ts";
import { CredentialService } from "../messaging/directory/credential-service.ts";
import { CredentialUses } from "../messaging/directory/credential-uses.ts";
import { GuessCounts } from "../messaging/directory/guess-counts.ts";
import { IntakeCalls } from "../messaging/intake/intake-calls.ts";
import { createKeyedHash } from "../platform/keyed-hash.ts";
import type { ServerStorage } from "./storage.ts";

export type CustomerCredentials = ReturnType<typeof customerCredentials>;

interface OpenCredentials {
  directory: CredentialDirectory;
  service: CredentialService;
  /** One for all protocols: guessing in one is slowed down in all. */
  gate: CredentialGate;
}

export function customerCredentials({ store, directory, clock, hashKey, settings, log }: ServerStorage) {
  const guesses = new GuessCounts(clock, log);
  const forwarding = { begin: async () => {} };
  let opened: OpenCredentials | null = null;
  const open = (): OpenCredentials => {
    if (opened === null) {
      const hash = createKeyedHash(hashKey(credentialSecretsPurpose));
      const credentials = new CredentialDirectory({ tables: store.tables, directory, clock, hash });
      const gate = new CredentialGate({
        credentials,
        clock,
        failedPerMinute: settings.smppServer.failedBindsPerMinute,
        takesTestKeys: settings.sandbox.enabled,
        guesses,
      });
      const beforeForward = () => forwarding.begin();
      const service = new CredentialService({ store, credentials, hash, clock, beforeForward });
      opened = { directory: credentials, service, gate };
    }
    return opened;
  };
  /** What every listener takes that serves them. */
  const atListener = () => ({
    gate: open().gate,
    credentials: open().directory,
    hash: createKeyedHash(hashKey(credentialSecretsPurpose)),
    mismatch: settings.idempotency.mismatch,
  });
  /** `uses`: for protocols without binds. `calls`: of intakes. `forwarding`: what begins with the first that forwards. */
  return { open, atListener, forwarding, uses: new CredentialUses(), calls: new IntakeCalls(), guesses };
}
