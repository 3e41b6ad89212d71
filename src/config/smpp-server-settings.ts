/** The settings of the SMPP server for customers: the registry's section `[smpp_server]`. */
import { integerSetting, optionalListenAddressSetting } from "./setting-types.ts";

export const smppServerSettings = {
  listen: optionalListenAddressSetting({
    default: null,
    help: "Where customers bind by SMPP without TLS, such as 127.0.0.1:2775; not served unless set.",
  }),
  tlsListen: optionalListenAddressSetting({
    default: null,
    help: "Where customers bind by SMPP over TLS, with the certificate of tls.cert_file; not served unless set.",
  }),
  connections: integerSetting(
    { min: 1, max: 20_000 },
    { default: 2_500, unit: "connections", help: "Connections by SMPP that may be open at once, bound or not." },
  ),
  enquireLinkSeconds: integerSetting(
    { min: 1, max: 3_600 },
    {
      default: 30,
      unit: "seconds",
      help: "Silence of a customer's bind after which it is asked whether it is there.",
    },
  ),
  responseTimeoutSeconds: integerSetting(
    { min: 1, max: 300 },
    { default: 30, unit: "seconds", help: "How long a bind may take to acknowledge a receipt before it is unbound." },
  ),
  reassemblyTimeoutSeconds: integerSetting(
    { min: 1, max: 86_400 },
    {
      default: 600,
      unit: "seconds",
      help: "How long to wait for the missing segments of a customer's message; then nothing of it is sent.",
    },
  ),
  freeRequestsPerSecond: integerSetting(
    { min: 10, max: 1_000_000 },
    {
      default: 1_000,
      unit: "requests a second",
      help: "Requests of a credential that are refused or only ask, such as query_sm, before its binds are not read for a moment.",
    },
  ),
  failedBindsPerMinute: integerSetting(
    { min: 1, max: 1_000_000 },
    {
      default: 60,
      unit: "binds per minute",
      help: "Wrong passwords from one address, by SMPP and drop-in protocols together, before they are answered as throttled, and not logged.",
    },
  ),
};
