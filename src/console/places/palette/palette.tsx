/** What was found: options of the palette's list, or links of a page. */
import { comparableText } from "../../../domain/clean-input.ts";
import { Card, Empty } from "../../components/blocks.tsx";
import { Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { SearchForm } from "../../components/search.tsx";
import { useLocale } from "../../locale.ts";
import type { Hit, HitGroup } from "./palette-view.ts";
import { paletteWords } from "./words.ts";

interface FoundProps {
  text: string;
  groups: readonly HitGroup[];
}

/** A listbox has groups, where a form has sets of fields. */
const listGroup = (name: string) => ({ role: "group", "aria-labelledby": `found-${name}` }) as const;
const ofGroupMax = 3;
const shownMax = 9;

/** `data-found`: what is told to those who cannot see the list. */
export function PaletteList({ text, groups }: FoundProps) {
  const { words, format, say } = useLocale(paletteWords);
  const groupNames = { ...words.places, ...say.groups };
  let left = shownMax;
  const shown = groups.flatMap(({ name, hits }) => {
    const few = hits.slice(0, Math.min(ofGroupMax, left));
    left -= few.length;
    return few.length === 0 ? [] : [{ name, hits: few }];
  });
  let number = 0;
  return (
    <div class="palette-groups" data-found={say.found(format.count(shownMax - left))}>
      {shown.map(({ name, hits }) => (
        <div key={name} {...listGroup(name)}>
          <div class="palette-group" id={`found-${name}`}>
            {groupNames[name]}
          </div>
          {hits.map((hit) => {
            number += 1;
            return <Option key={hit.href} hit={hit} text={text} id={`option-${number}`} />;
          })}
        </div>
      ))}
    </div>
  );
}

function Option({ hit, text, id }: { hit: Hit; text: string; id: string }) {
  const { href, icon, ends } = hit;
  return (
    <a
      class={ends ? "option option-ends" : "option"}
      id={id}
      role="option"
      aria-selected="false"
      tabIndex={-1}
      href={href}
    >
      <Icon name={icon} />
      <HitWords hit={hit} text={text} />
    </a>
  );
}

function HitWords({ hit: { name, note }, text }: { hit: Hit; text: string }) {
  return (
    <>
      <span class="option-name">
        <Marked name={name} text={text} />
      </span>
      {note === undefined ? null : <span class="option-note">{note}</span>}
    </>
  );
}

/** The words that were typed, where they are in the name. */
function Marked({ name, text }: { name: string; text: string }) {
  const comparable = comparableText(name);
  const plain = name.replaceAll(/[\u2068\u2069]/g, "");
  const at = comparableText(text)
    .split(/\s+/)
    .map((word) => ({ word, from: word === "" ? -1 : comparable.indexOf(word) }))
    .find(({ from }) => from >= 0);
  // Isolates are not counted in what is compared.
  if (at === undefined || comparable.length !== plain.length) return <bdi class="digits">{plain}</bdi>;
  const end = at.from + at.word.length;
  return (
    <bdi class="digits">
      {plain.slice(0, at.from)}
      <mark>{plain.slice(at.from, end)}</mark>
      {plain.slice(end)}
    </bdi>
  );
}

export function FindPage({ text, groups }: FoundProps) {
  const { words, say } = useLocale(paletteWords);
  const groupNames = { ...words.places, ...say.groups };
  return (
    <PageLayout title={say.title} lead={say.lead}>
      <SearchForm action="/search" query={text} label={say.title} />
      <div class="stack">
        {groups.map(({ name, hits }) => (
          <Card key={name} title={groupNames[name]}>
            <ul class="found">
              {hits.map((hit) => (
                <li key={hit.href}>
                  <a class={hit.ends ? "option option-ends" : "option"} href={hit.href}>
                    <Icon name={hit.icon} />
                    <HitWords hit={hit} text={text} />
                  </a>
                </li>
              ))}
            </ul>
          </Card>
        ))}
        {groups.length === 0 && text !== "" ? (
          <Card>
            <Empty icon="search" title={words.lists.noneTitle}>
              {words.lists.none}
            </Empty>
          </Card>
        ) : null}
      </div>
    </PageLayout>
  );
}
