/** Sentences that the service only writes in English: findings, alerts, refusals of programs. */

/** Marked as English, with its own direction, whatever the page's language. */
export function EnglishSentence({ children }: { children: string }) {
  return (
    <bdi lang="en" dir="ltr" hx-ignore="">
      {children}
    </bdi>
  );
}
