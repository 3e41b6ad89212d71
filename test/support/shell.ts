/** The frame of pages that a test renders without a server. */
import type { Shell } from "../../src/console/components/navigation.tsx";

export const shellOf = (more: Partial<Shell>): Shell => ({
  role: "operator",
  user: "olga",
  owner: "Peyk",
  place: "now",
  theme: "system",
  shortcuts: true,
  countApprovals: () => null,
  path: "/",
  takeNotices: () => null,
  ...more,
});
