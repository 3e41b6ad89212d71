/** How carriers are reached, as an interface that tests replace. */
import type { Socket } from "node:net";

export interface TlsOptions {
  /** PEM file of the authority that signed the carrier's certificate; null: the system's authorities. */
  caFile: string | null;
  /** The name in the certificate, if it is not `host`. */
  serverName: string | null;
  /** Peyk's own certificate with its chain, and its key, for a carrier that asks for one; PEM. */
  client?: { certFile: string; keyFile: string };
}

export interface CarrierAddress {
  host: string;
  port: number;
  tls: TlsOptions | null;
}

export interface CarrierNetwork {
  /** Starts connecting; the socket reports the result. */
  dial(peer: CarrierAddress): Socket;
  fetch(url: string, request: BunFetchRequestInit): Promise<Response>;
}
