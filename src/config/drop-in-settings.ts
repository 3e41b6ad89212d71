/**
 * The settings of the drop-in listener for programs written for other SMS services: the registry's section `[drop_in]`.
 */
import { booleanSetting, optionalListenAddressSetting } from "./setting-types.ts";

export const dropInSettings = {
  listen: optionalListenAddressSetting({
    default: null,
    help: "Where programs send by protocols of other SMS services (Kannel, Jasmin, webhooks), such as 127.0.0.1:13013; with the certificate of tls.cert_file if there is one; not served unless set.",
  }),
  allowPlain: booleanSetting({
    default: false,
    help: "Whether that listener may serve other machines without a certificate: passwords then cross the network in plain.",
  }),
};
