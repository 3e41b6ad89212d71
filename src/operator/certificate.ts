/** `/certificate/reload`: reads the files of the served certificate anew, and answers once the new one is served. */
import { Elysia } from "elysia";
import { OperatorError } from "../domain/operator-error.ts";
import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";

export function certificateRoutes({ reloadCertificate }: Pick<OperatorDeps, "reloadCertificate">) {
  return new Elysia().post("/certificate/reload", () => {
    const { refused, served } = reloadCertificate();
    if (refused !== null) throw new OperatorError("certificate_unusable", `${refused} The old one is served on.`);
    return { certificate: served === null ? null : { names: served.names, endsAt: isoTime(served.notAfter) } };
  });
}
