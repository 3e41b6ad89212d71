/** The terms on which every listener speaks TLS. */

export interface TlsFiles {
  /** PEM. */
  cert: string;
  key: string;
}

/**
 * Mozilla's "intermediate" for TLS 1.2: forward secrecy and AEAD alone. TLS 1.3 has no other ciphers, and what is older
 * than 1.2 Bun refuses by itself.
 */
const ciphers = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/** What a listener is given to serve a certificate. */
export const listenerTls = ({ cert, key }: TlsFiles) => ({ cert, key, ciphers });
