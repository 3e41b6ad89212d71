/** Linking a user to a person of the provider of single sign-on. */
import { Card } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { FormPage } from "../../components/form-page.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useLocale } from "../../locale.ts";
import { CurrentPassword } from "./second-factor.tsx";
import { signOnWords } from "./words.ts";

export const signOnPath = "/settings/sign-on";
export const signOnHref = "/settings#sign-on";

export interface SignOnState {
  /** What the provider is called. */
  provider: string;
  isLinked: boolean;
  /** Whether there is another way in. */
  mayUnlink: boolean;
}

/** On the page of one's settings. */
export function SignOnCard({ provider, isLinked, mayUnlink }: SignOnState) {
  const { say } = useLocale(signOnWords);
  return (
    <Card title={say.title} id="sign-on">
      <p>{isLinked ? say.linked(provider) : say.notLinked(provider)}</p>
      {isLinked && !mayUnlink ? null : (
        <p>
          {isLinked ? (
            <LinkButton look="quiet" href={`${signOnPath}/remove`} label={say.unlinking.doIt} />
          ) : (
            <LinkButton href={signOnPath} label={say.link} />
          )}
        </p>
      )}
    </Card>
  );
}

interface LinkView {
  texts: Readonly<Record<never, string>>;
  provider: string;
  errors: FieldErrors;
}

export function LinkPage({ provider, errors }: LinkView) {
  const { words, say } = useLocale(signOnWords);
  return (
    <FormPage
      title={say.link}
      lead={say.lead(provider)}
      above={{ title: words.places.settings, href: signOnHref }}
      errors={errors}
      submit={say.go}
    >
      <CurrentPassword label={words.terms.password} error={errors.password} />
    </FormPage>
  );
}

/** A form leads to no other site, a link does. */
export function GoOnPage({ provider, ticket }: { provider: string; ticket: string }) {
  const { words, say } = useLocale(signOnWords);
  const href = `/sign-in/oidc?${new URLSearchParams({ link: ticket })}`;
  return (
    <PageLayout title={say.link} above={{ title: words.places.settings, href: signOnHref }}>
      <Card>
        <p>{say.lead(provider)}</p>
        <p>
          <LinkButton look="primary" href={href} label={say.goTo(provider)} />
        </p>
      </Card>
    </PageLayout>
  );
}
