/** A sum by which nodes of a cluster see whether they have the same settings. */
import type { Settings } from "./settings.ts";

/** Settings that should be the same on both nodes; addresses, folders and files may differ. */
export function settingsSumOf(settings: Settings): string {
  const {
    dataDir: _,
    listen: _listen,
    consoleListen: _console,
    portalListen: _portal,
    cluster: _cluster,
    tls: _tls,
    smppServer: { listen: _smpp, tlsListen: _smppTls, ...smppServer },
    dropIn: { listen: _dropIn, ...dropIn },
    ...others
  } = settings;
  const alike = { ...others, smppServer, dropIn };
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(alike)).digest("hex").slice(0, 16);
}
