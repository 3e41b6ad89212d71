/** Reloads the files of the served certificate, and answers once the new one is being served. */
import { OperatorError } from "../domain/operator-error.ts";
import { isoTime } from "../platform/clock.ts";
import { changes } from "./operation.ts";

export const certificateAdmin = {
  "POST /certificate/reload": changes({
    may: "system.change",
    scope: "none",
    input: {},
    run: ({ reloadCertificate }) => {
      const { refused, served } = reloadCertificate();
      if (refused !== null) throw new OperatorError("certificate_unusable", `${refused} The old one is served on.`);
      return { certificate: served === null ? null : { names: served.names, endsAt: isoTime(served.notAfter) } };
    },
    audit: {
      action: "certificate.reload",
      target: () => "certificate",
      told: (_, answer) => answer,
      needsNoStore: true,
    },
  }),
};
