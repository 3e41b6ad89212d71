/** The two settings of each listener that can speak TLS. */
import { optionalFileSetting } from "./setting-types.ts";

export const tlsFiles = (whose: string) => ({
  certFile: optionalFileSetting({ help: `PEM certificate chain ${whose}` }),
  keyFile: optionalFileSetting({ help: "PEM key of that certificate." }),
});
