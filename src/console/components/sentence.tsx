/** Sentences that the service writes in English alone: findings, alerts, refusals of programs. */

/** Read in their own direction and voice, whatever the page's language. */
export function EnglishSentence({ children }: { children: string }) {
  return (
    <bdi lang="en" dir="ltr" hx-ignore="">
      {children}
    </bdi>
  );
}
