/** The single-key shortcuts. */
import { Card } from "../../components/blocks.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { type Place, placesOf, useShell } from "../../components/navigation.tsx";
import { useLocale } from "../../locale.ts";
import { keyboardWords } from "./words.ts";

/** Pressed after `g`, as in `peyk.browser.js`. */
const placeKeys: readonly (readonly [key: string, place: Place])[] = [
  ["n", "now"],
  ["m", "messages"],
  ["s", "send"],
  ["r", "routes"],
  ["a", "accounts"],
  ["c", "callbacks"],
];

const keys: readonly (readonly [keys: readonly string[], what: keyof (typeof keyboardWords)["en"]["does"]])[] = [
  [["Ctrl", "K"], "palette"],
  [["/"], "search"],
  [["j"], "next"],
  [["k"], "previous"],
  [["Enter"], "open"],
  [["t"], "follow"],
  [["."], "same"],
  [["?"], "help"],
  [["Esc"], "close"],
];

export function KeyboardPage() {
  const { words, say } = useLocale(keyboardWords);
  const open = placesOf[useShell().role].flat();
  const places = placeKeys.filter(([, place]) => open.includes(place));
  return (
    <PageLayout title={say.title} lead={say.lead} above={{ title: words.places.settings, href: "/settings" }}>
      <Card>
        <dl class="facts">
          {keys.map(([pressed, what]) => (
            <Key key={what} pressed={pressed} does={say.does[what]} />
          ))}
          {places.map(([key, place]) => (
            <Key key={key} pressed={["g", key]} does={say.go(words.places[place])} />
          ))}
        </dl>
      </Card>
    </PageLayout>
  );
}

function Key({ pressed, does }: { pressed: readonly string[]; does: string }) {
  return (
    <div class="fact">
      <dt>
        {pressed.map((key) => (
          <kbd key={key} dir="ltr">
            {key}
          </kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </div>
  );
}
