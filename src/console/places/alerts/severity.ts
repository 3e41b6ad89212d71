/** How urgent an alert is, as a tone. */
import type { AlertAnswer } from "../../../operator/alerts.ts";
import type { Tone } from "../../components/pill.tsx";

export const severityTones: Readonly<Record<AlertAnswer["severity"], Tone>> = { page: "bad", ticket: "warn" };
