/** What needs a look, the gravest first, each with the button that solves it. */
import { Card } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { Icon } from "../../components/inline.tsx";
import { stateShape } from "../../components/pill.tsx";
import { useLocale } from "../../locale.ts";
import type { NeedText } from "./need.ts";
import { nowWords } from "./words.ts";

interface NeedListProps {
  needs: readonly NeedText[];
  /** Displayed when nothing needs attention. */
  well: string;
  wellLead: string;
}

export function NeedList({ needs, well, wellLead }: NeedListProps) {
  const { language, format } = useLocale();
  if (needs.length === 0) {
    return (
      <section class="well">
        <Icon name="ok" />
        <div>
          <h2>{well}</h2>
          <p class="muted">{wellLead}</p>
        </div>
      </section>
    );
  }
  return (
    <Card
      title={nowWords[language].needs(format.count(needs.length))}
      note={needs.length > 1 ? nowWords[language].gravestFirst : null}
      flush
    >
      <ul>
        {needs.map((need) => (
          <NeedLine key={need.sentence} need={need} />
        ))}
      </ul>
    </Card>
  );
}

function NeedLine({ need: { state, sentence, cause, action, href, second } }: { need: NeedText }) {
  const { words } = useLocale();
  const [tone, icon] = stateShape(state);
  return (
    <li class="need">
      <span class={`need-icon ink-${tone}`}>
        <Icon name={icon} />
        <span class="unseen">{words.states[state]}: </span>
      </span>
      <div class="need-words">
        <p class="need-sentence">{sentence}</p>
        <p class="need-cause">{cause}</p>
      </div>
      {href === null ? null : (
        <div class="need-do">
          <LinkButton look="small" href={href} label={action} />
          {second === undefined ? null : <LinkButton look="quiet small" {...second} />}
        </div>
      )}
    </li>
  );
}
