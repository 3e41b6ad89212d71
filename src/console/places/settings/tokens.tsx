/** A user's tokens: their list, a new one, and the token that is shown only once. */

import { lesserRole, type Role, roles } from "../../../domain/roles.ts";
import { type FieldTable, type FieldTexts, pick } from "../../../fields/field.ts";
import { tokenFields } from "../../../fields/user-token.ts";
import type { TokenAnswer } from "../../../operator/user-tokens.ts";
import { Card, CodeBlock, ShowOnce } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { FormPage } from "../../components/form-page.tsx";
import type { FormState } from "../../components/forms.tsx";
import { Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useIsCustomer, useShell } from "../../components/navigation.tsx";
import { type Column, wordColumn } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import { CurrentPassword } from "./second-factor.tsx";
import { tokenWords } from "./token-words.ts";

export const tokensPath = "/settings/tokens";

/** On the page of one's settings. */
export function TokensCard({ tokens }: { tokens: readonly TokenAnswer[] }) {
  const { words, say } = useLocale(tokenWords);
  const create = <LinkButton look="small" icon="plus" href={`${tokensPath}/new`} label={say.create} />;
  const columns: readonly Column<TokenAnswer>[] = [
    { head: words.terms.name, phone: "title", cell: ({ name }) => <bdi>{name}</bdi> },
    { head: words.terms.role, phone: "aside", cell: ({ role }) => words.roles[role] },
    wordColumn(words.terms.ends, ({ expiresAt }) => <Time at={expiresAt} as="date" />),
    wordColumn(say.used, ({ lastUsedAt }) =>
      lastUsedAt === null ? words.terms.never : <Time at={lastUsedAt} as="dayAndClock" />,
    ),
    {
      head: words.actions.revoke,
      phone: "line",
      buttons: true,
      cell: ({ id }) => (
        <LinkButton look="quiet small" href={`${tokensPath}/${id}/revoke`} label={words.actions.revoke} dialog />
      ),
    },
  ];
  if (tokens.length === 0) {
    return (
      <Card title={say.title} id="tokens" actions={create}>
        <p>{say.lead}</p>
        <p class="muted">{say.none}</p>
      </Card>
    );
  }
  return (
    <RecordsCard
      title={say.title}
      id="tokens"
      actions={create}
      columns={columns}
      rows={tokens}
      keyOf={({ id }) => id}
    />
  );
}

/** The fields that a user of this role sets. */
function fieldsFor(role: Role): FieldTable {
  const { freed, role: roleField, ...others } = tokenFields;
  const words = roles.filter((one) => lesserRole(one, role) === one);
  return {
    ...pick(others, "name"),
    ...(words.length > 1 && { role: { ...roleField, words } }),
    ...pick(others, "expiresAt", "allowFrom", "operations", "readsTexts"),
    ...(role === "owner" && { freed }),
  };
}

export function NewTokenPage({ texts, errors }: FormState<keyof FieldTexts<typeof tokenFields>>) {
  const { words, say } = useLocale(tokenWords);
  const { role } = useShell();
  const said = { ...say.fields, role: { ...say.fields.role, choices: words.roles } };
  return (
    <FormPage
      title={say.create}
      lead={say.lead}
      above={{ title: words.places.settings, href: "/settings#tokens" }}
      errors={errors}
      submit={say.make}
    >
      <div class="form-group form-columns form-columns-2">
        <DeclaredFields table={fieldsFor(role)} {...{ said, texts, errors }} />
        <CurrentPassword label={say.password} hint={say.passwordHint} error={errors.password} />
      </div>
    </FormPage>
  );
}

interface CreatedToken {
  name: string;
  token: string;
  /** Of the listener. */
  origin: string;
}

export function CreatedTokenPage({ name, token, origin }: CreatedToken) {
  const { words, say } = useLocale(tokenWords);
  const isCustomer = useIsCustomer();
  const client = `claude mcp add --transport http peyk ${origin}/mcp --header "Authorization: Bearer ${token}"`;
  return (
    <PageLayout title={name} above={{ title: words.places.settings, href: "/settings#tokens" }}>
      <ShowOnce done="/settings#tokens">
        <CodeBlock code={token} label={say.token} />
        <CodeBlock code={client} label={say.agent} />
        {isCustomer ? null : (
          <p>
            <a href="/help/agents">{say.help}</a>
          </p>
        )}
      </ShowOnce>
    </PageLayout>
  );
}
