/** Persian: why a connection to a carrier did not come about, as the domain's English table says it. */
import type { CertificateAlert, ConnectionFault, ConnectionPeer } from "../../../domain/connection-fault.ts";
import { isolate } from "../isolate.ts";

const address = ({ host, port }: ConnectionPeer) => isolate(`${host}:${port}`);
const unknownAuthority = () => "مرجع گواهی در فایل مرجع نیست";

export const persianConnectionFaults: Readonly<Record<ConnectionFault, (peer: ConnectionPeer) => string>> = {
  ENOTFOUND: ({ host }) => `نام ${isolate(host)} نشانی ندارد`,
  EAI_AGAIN: ({ host }) => `نشانی نام ${isolate(host)} پیدا نشد`,
  ECONNREFUSED: (peer) => `${address(peer)} اتصال را نمی‌پذیرد: چیزی آن‌جا گوش نمی‌دهد`,
  EHOSTUNREACH: ({ host }) => `${isolate(host)} در دسترس نیست`,
  ENETUNREACH: ({ host }) => `شبکهٔ ${isolate(host)} در دسترس نیست`,
  ETIMEDOUT: (peer) => `${address(peer)} پاسخ نداد`,
  CERT_HAS_EXPIRED: () => "مهلت گواهی گذشته است",
  CERT_NOT_YET_VALID: () => "زمان اعتبار گواهی هنوز نرسیده است",
  DEPTH_ZERO_SELF_SIGNED_CERT: () => "گواهی را خود صاحبش امضا کرده و فایل مرجع تنظیم نشده است",
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => "گواهی را مرجع شناخته‌شده‌ای امضا نکرده است؛ فایل مرجع آن را بنویسید",
  ERR_TLS_CERT_ALTNAME_INVALID: () => "گواهی برای نام دیگری است",
  ERR_SSL_WRONG_VERSION_NUMBER: (peer) => `${address(peer)} با ${isolate("TLS")} کار نمی‌کند`,
};

const refused = "طرف مقابل گواهی پیک را نمی‌پذیرد";

export const persianCertificateAlerts: Readonly<Record<CertificateAlert, string>> = {
  CERTIFICATE_REQUIRED: `طرف مقابل از پیک گواهی می‌خواهد: ${isolate("tls.certFile")} و ${isolate("tls.keyFile")}`,
  UNKNOWN_CA: "طرف مقابل مرجع گواهی پیک را نمی‌شناسد",
  CERTIFICATE_EXPIRED: "طرف مقابل می‌گوید مهلت گواهی پیک گذشته است",
  CERTIFICATE_REVOKED: "طرف مقابل می‌گوید گواهی پیک باطل شده است",
  BAD_CERTIFICATE: refused,
  CERTIFICATE_UNKNOWN: refused,
  UNSUPPORTED_CERTIFICATE: refused,
  ACCESS_DENIED: refused,
};
