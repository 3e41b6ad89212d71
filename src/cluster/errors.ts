/** Why a node cannot take part; the message says what to do. */

/** The folder, the settings and the cluster's log do not belong together. */
export class ClusterRefused extends Error {
  override readonly name = "ClusterRefused";
}
