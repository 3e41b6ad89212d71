/** Loads what dates need: the runtime reads the data of a calendar or a zone at its first use, which holds the event loop for up to 7 ms each. */
import { calendars, LocalCalendar } from "../../domain/local-calendar.ts";
import { languages } from "../language.ts";
import { dayStart, partsOf } from "./calendar.ts";

/** One after another in turns of their own. `zone`: a name of the IANA database; `now` in epoch milliseconds. */
export async function prepareDates(zone: string, now: number, nextTurn: () => Promise<void>): Promise<void> {
  const firstUses = [
    ...languages.map((language) => () => partsOf(now, language, zone)),
    () => dayStart(now, zone),
    ...calendars.map((calendar) => () => new LocalCalendar(zone, calendar).month(now)),
  ];
  for (const firstUse of firstUses) {
    firstUse();
    await nextTurn();
  }
}
