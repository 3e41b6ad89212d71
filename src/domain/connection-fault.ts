/** Why a connection to a carrier failed or broke, by the error codes of the system and of OpenSSL. */

export interface ConnectionPeer {
  host: string;
  port: number;
}

export const connectionFaults = [
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "ERR_SSL_WRONG_VERSION_NUMBER",
] as const;

/** The TLS alerts (RFC 8446 §6.2) with which a peer rejects Peyk's certificate. */
export const certificateAlerts = [
  "CERTIFICATE_REQUIRED",
  "UNKNOWN_CA",
  "CERTIFICATE_EXPIRED",
  "CERTIFICATE_REVOKED",
  "BAD_CERTIFICATE",
  "CERTIFICATE_UNKNOWN",
  "UNSUPPORTED_CERTIFICATE",
  "ACCESS_DENIED",
] as const;

export type CertificateAlert = (typeof certificateAlerts)[number];

export const isCertificateAlert = (name: string): name is CertificateAlert =>
  certificateAlerts.some((alert) => alert === name);

export type ConnectionFault = (typeof connectionFaults)[number];

export const isConnectionFault = (code: string): code is ConnectionFault =>
  connectionFaults.some((fault) => fault === code);
