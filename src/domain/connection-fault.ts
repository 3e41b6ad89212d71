/** Why a connection to a carrier failed or broke, by the error codes of the system and of OpenSSL, in English. */

export interface ConnectionPeer {
  host: string;
  port: number;
}

const unknownAuthority = () => "the certificate's authority is not in the authority's file";

export const englishConnectionFaults = {
  ENOTFOUND: ({ host }: ConnectionPeer) => `the name ${host} does not resolve`,
  EAI_AGAIN: ({ host }: ConnectionPeer) => `the name ${host} could not be looked up`,
  ECONNREFUSED: ({ host, port }: ConnectionPeer) => `${host}:${port} refuses connections: nothing listens there`,
  EHOSTUNREACH: ({ host }: ConnectionPeer) => `${host} is unreachable`,
  ENETUNREACH: ({ host }: ConnectionPeer) => `the network of ${host} is unreachable`,
  ETIMEDOUT: ({ host, port }: ConnectionPeer) => `${host}:${port} did not answer`,
  CERT_HAS_EXPIRED: () => "the certificate has expired",
  CERT_NOT_YET_VALID: () => "the certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: () => "the certificate is self-signed and its authority's file is not set",
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () =>
    "the certificate is not signed by a known authority; name its authority's file",
  ERR_TLS_CERT_ALTNAME_INVALID: () => "the certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: ({ host, port }: ConnectionPeer) => `${host}:${port} does not speak TLS`,
};

export type ConnectionFault = keyof typeof englishConnectionFaults;

export const isConnectionFault = (code: string): code is ConnectionFault =>
  Object.hasOwn(englishConnectionFaults, code);

const refused = "the peer refuses Peyk's certificate";

/** The TLS alerts (RFC 8446 §6.2) with which a peer rejects Peyk's certificate. */
export const englishCertificateAlerts = {
  CERTIFICATE_REQUIRED: "the peer asks for a certificate of Peyk's own: tls.certFile and tls.keyFile",
  UNKNOWN_CA: "the peer does not know the authority of Peyk's certificate",
  CERTIFICATE_EXPIRED: "the peer says that Peyk's certificate has expired",
  CERTIFICATE_REVOKED: "the peer says that Peyk's certificate was revoked",
  BAD_CERTIFICATE: refused,
  CERTIFICATE_UNKNOWN: refused,
  UNSUPPORTED_CERTIFICATE: refused,
  ACCESS_DENIED: refused,
};

export type CertificateAlert = keyof typeof englishCertificateAlerts;

export const isCertificateAlert = (name: string): name is CertificateAlert =>
  Object.hasOwn(englishCertificateAlerts, name);
