/** The carriers that a route can use, each a link to its form. */
import { useLocale } from "../../locale.ts";
import { type CarrierName, carrierNames } from "./carrier-fields.ts";
import { carrierWords } from "./carrier-words.ts";

/** Links, so that each carrier's fields work without a script. */
export function CarrierTiles({ carrier, at = "/routes/-new" }: { carrier: CarrierName; at?: string }) {
  const say = carrierWords[useLocale().language];
  return (
    <nav class="form-group" aria-label={say.carrier}>
      <h2>{say.carrier}</h2>
      <div class="tiles">
        {carrierNames.map((name) => (
          <a
            key={name}
            class="tile"
            href={`${name === "other" ? "/routes/-new" : at}?carrier=${name}`}
            aria-current={name === carrier ? "true" : undefined}
          >
            <span class="tile-title">{say.carriers[name].title}</span>
            <span class="tile-note">{say.carriers[name].note}</span>
          </a>
        ))}
      </div>
    </nav>
  );
}
