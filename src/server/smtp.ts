/** Opens the listener for mail: nothing is loaded unless it is configured. */
import { hostPortOf } from "../config/host-port.ts";
import type { SmtpService } from "../drop-in/smtp/smtp-service.ts";
import type { Certificate } from "../platform/certificate.ts";
import { cannotListen } from "../platform/listen-error.ts";
import type { CustomerCredentials } from "./customer-credentials.ts";
import type { Services } from "./services.ts";
import type { ServerStorage } from "./storage.ts";

/** Where mail is taken; omitted if it is not. */
export interface SmtpPorts {
  smtpPort?: number;
  smtpTlsPort?: number;
}

export type CustomerSmtp = Awaited<ReturnType<typeof openCustomerSmtp>>;

export async function openCustomerSmtp(storage: ServerStorage, services: Services, credentials: CustomerCredentials) {
  const { listen, tlsListen } = storage.settings.smtpServer;
  const isServed = listen !== null || tlsListen !== null;
  const service = isServed ? await serviceOf(storage, services, credentials) : null;
  const ports: SmtpPorts = {};
  return {
    ports: () => ports,
    async listen(certificate: Certificate | null) {
      for (const [side, address, isTls, setting] of [
        ["smtpPort", listen, false, "smtp_server.listen"],
        ["smtpTlsPort", tlsListen, true, "smtp_server.tls_listen"],
      ] as const) {
        if (address === null || service === null) continue;
        try {
          ports[side] = await service.listen(hostPortOf(address), certificate, isTls);
        } catch (reason) {
          throw cannotListen("smtp_listen", reason, address, setting);
        }
      }
    },
    startTaking: () => service?.startTaking(),
    renew: (certificate: Certificate) => service?.renew(certificate),
    stop: async () => service?.stop(),
  };
}

async function serviceOf(
  storage: ServerStorage,
  services: Services,
  credentials: CustomerCredentials,
): Promise<SmtpService> {
  const { openSmtpService } = await import("../drop-in/smtp/open.ts");
  const { settings, metrics, store } = storage;
  return openSmtpService({
    ...storage,
    ...services,
    ...credentials.atListener(),
    tables: store.tables,
    ownCodes: services.otp.service.codes,
    uses: credentials.uses,
    observer: metrics.dropIn(),
    settings: settings.smtpServer,
  });
}
