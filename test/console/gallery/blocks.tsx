/** The blocks that no page of the gallery shows: every pill, notice, a secret, an import, progress. */
import { Card, Notice, ShowOnce } from "../../../src/console/components/blocks.tsx";
import { Choice, PasswordField, TextField } from "../../../src/console/components/forms.tsx";
import { ImportProgress } from "../../../src/console/components/import.tsx";
import { PageLayout } from "../../../src/console/components/layout.tsx";
import type { Shell } from "../../../src/console/components/navigation.tsx";
import { Pill, type PillState, type Tone } from "../../../src/console/components/pill.tsx";
import type { Locale } from "../../../src/console/locale.ts";

const tones: readonly Tone[] = ["ok", "info", "wait", "warn", "bad"];

export function BlocksPage({ shell, locale }: { shell: Shell; locale: Locale }) {
  const { words, format } = locale;
  return (
    <PageLayout shell={shell} title={words.places.system}>
      <div class="stack">
        <Card>
          <p class="chips">
            {(Object.keys(words.states) as PillState[]).map((state) => (
              <Pill key={state} state={state} />
            ))}
          </p>
        </Card>
        {tones.map((tone) => (
          <Notice
            key={tone}
            tone={tone}
            action={
              <button type="button" class="button">
                {words.actions.undo}
              </button>
            }
          >
            {words.account.suspended("Mehr Clinics")}
          </Notice>
        ))}
        <ShowOnce
          secret="pk_live_7Yt2qWm9XcVb4NzRk1LhJp8Gd6Fs3Aa0QeUiOt"
          example={
            "curl https://sms.example/v1/messages \\\n  -H 'X-API-Key: pk_live_7Yt2qWm9XcVb4NzRk1LhJp8Gd6Fs3Aa0QeUiOt' \\\n" +
            '  -H \'Idempotency-Key: first-message\' \\\n  --json \'{"sender": "300012345", "recipient": "09123456789", "message": "Hello"}\''
          }
          done="/accounts/acc_1/keys"
        />
        <ImportProgress
          view={{
            done: 12_400,
            total: 50_000,
            refused: [
              { line: 17, value: "0912 34", reason: words.send.error.recipients },
              { line: 1204, value: "علی", reason: words.send.error.when },
            ],
            refusedCount: 3,
            refusedCsv: "/groups/x/refused.csv",
          }}
        />
        <Card title={words.account.limits}>
          <div class="form">
            <TextField
              name="rate"
              label={words.fields.key.rate.label}
              value="۱۲x"
              error={words.send.error.when}
              hint={format.number(120)}
              size="short"
            />
            <PasswordField name="secret" label={words.signIn.password} size="medium" />
            <Choice name="may" value="send" checked label={words.places.send} hint={words.send.lead} />
            <Choice name="may" value="read" checked={false} label={words.places.messages} />
          </div>
        </Card>
      </div>
    </PageLayout>
  );
}
