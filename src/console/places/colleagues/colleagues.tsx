/** A customer's people: who they are, what each may do, and inviting one more. */
import { customerRoles, isCustomerRole } from "../../../domain/roles.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import { Card, CodeBlock, Notice } from "../../components/blocks.tsx";
import { FormButtons, LinkButton } from "../../components/buttons.tsx";
import { FormPage } from "../../components/form-page.tsx";
import { controlsOf, ErrorSummary, type FormState, SelectField, TextField } from "../../components/forms.tsx";
import { Slug, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useShell } from "../../components/navigation.tsx";
import { TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records, wordColumn } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { statusLooks } from "../users/users.tsx";
import { colleaguesWords } from "./words.ts";

type Colleagues = AnswerOf<"GET /accounts/:id/colleagues">;
type Colleague = Colleagues["rows"][number];

interface ColleaguesProps extends FormState<"name" | "role" | "mail"> {
  colleagues: Colleagues;
}

const hrefOf = (name: string, rest: string) => `/colleagues/${encodeURIComponent(name)}/${rest}`;

export function ColleaguesPage({ colleagues: { rows, hasMail }, texts, errors }: ColleaguesProps) {
  const { words, say } = useLocale(colleaguesWords);
  const control = controlsOf(texts, errors);
  return (
    <PageLayout title={words.places.colleagues} lead={say.lead}>
      <div class="stack">
        <section class="card card-flush">
          <Records label={words.places.colleagues} columns={useColumns()} rows={rows} keyOf={({ name }) => name} />
        </section>
        <Card title={say.invite} id="invite">
          <PostForm class="form narrow" action="/colleagues">
            <ErrorSummary errors={errors} />
            <TextField {...control("name")} label={words.terms.name} hint={say.nameHint} script="code" />
            <SelectField {...control("role")} label={say.role} options={useRoleOptions()} />
            {hasMail ? <TextField {...control("mail")} label={say.mail} hint={say.mailHint} script="code" /> : null}
            <FormButtons label={say.submit} />
          </PostForm>
        </Card>
      </div>
    </PageLayout>
  );
}

function useRoleOptions() {
  const say = useWords(colleaguesWords);
  return customerRoles.map((role) => ({ value: role, label: `${say.roles[role]}: ${say.roleHints[role]}` }));
}

function useColumns(): readonly Column<Colleague>[] {
  const { words, say } = useLocale(colleaguesWords);
  const { user } = useShell();
  const nameOf = ({ name }: Colleague) => (
    <>
      <Slug>{name}</Slug> {name === user ? <span class="muted">{say.you}</span> : null}
    </>
  );
  const link = (name: string, rest: "role" | "remove", label: string) => (
    <LinkButton key={rest} look="quiet small" href={hrefOf(name, rest)} label={label} dialog />
  );
  const buttonsOf = ({ name, status }: Colleague) =>
    name === user || status === "disabled"
      ? null
      : [link(name, "role", words.forms.change), link(name, "remove", say.remove)];
  const statusOf = ({ status }: Colleague) => <TonePill {...statusLooks[status]}>{say.statuses[status]}</TonePill>;
  const roleOf = ({ role }: Colleague) => (isCustomerRole(role) ? say.roles[role] : words.roles[role]);
  return [
    { head: words.terms.name, phone: "title", cell: nameOf },
    { head: say.role, phone: "word", cell: roleOf },
    { head: words.terms.status, phone: "aside", cell: statusOf },
    wordColumn(words.terms.since, ({ createdAt }) => <Time at={createdAt} as="date" />),
    { head: words.lists.actions, phone: "line", buttons: true, cell: buttonsOf },
  ];
}

/** Shown once, on the page after the one that created it. */
export function InvitationNotice({ name, link }: { name: string; link: string }) {
  const { words, say } = useLocale(colleaguesWords);
  return (
    <Notice tone="ok">
      <p>{say.link(name)}</p>
      <CodeBlock code={link} label={words.terms.link} />
    </Notice>
  );
}

export function ColleagueRolePage({ name, texts, errors }: FormState<"role"> & { name: string }) {
  const { words, say } = useLocale(colleaguesWords);
  const control = controlsOf(texts, errors);
  return (
    <FormPage
      title={say.changing(name)}
      above={{ title: words.places.colleagues, href: "/colleagues" }}
      action={hrefOf(name, "role")}
      errors={errors}
      submit={words.actions.save}
    >
      <SelectField {...control("role")} label={say.role} options={useRoleOptions()} />
    </FormPage>
  );
}
