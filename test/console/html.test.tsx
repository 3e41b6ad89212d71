import { expect, test } from "bun:test";
import fc from "fast-check";
import { CodeBlock, CopyButton, Empty, Notice, Tabs } from "../../src/console/components/blocks.tsx";
import { Chart } from "../../src/console/components/chart.tsx";
import { TextArea, TextField } from "../../src/console/components/forms.tsx";
import { Code, ForeignText, Name, Phone } from "../../src/console/components/inline.tsx";
import { Raw } from "../../src/console/components/story.tsx";
import { renderPartial } from "../../src/console/html.tsx";
import { createLocale } from "../../src/console/locale.ts";
import { MessagePage } from "../../src/console/pages/message.tsx";
import * as data from "./gallery/data.ts";

const formNumber = () => "one";
const locale = createLocale({ language: "en", zone: "UTC", now: 0 });

interface Seen {
  tags: string[];
  attributes: string[];
}

/** What a parser of HTML makes of it: the names of all elements and attributes. */
async function parsed(html: string): Promise<Seen> {
  const seen: Seen = { tags: [], attributes: [] };
  const rewriter = new HTMLRewriter().on("*", {
    element(element) {
      seen.tags.push(element.tagName);
      for (const [name] of element.attributes) seen.attributes.push(name);
    },
  });
  await rewriter.transform(new Response(html)).text();
  return seen;
}

/** Whatever people write, and what they write to break out. */
const hostile = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1 }),
  fc.string({ unit: "binary", minLength: 1 }),
  fc.constantFrom(
    `"><script>alert(1)</script>`,
    `' onmouseover='alert(1)`,
    `</textarea><img src=x onerror=alert(1)>`,
    `</title></script><svg/onload=alert(1)>`,
    `<!--`,
    `]]>`,
    `&lt;script&gt;`,
    `{{constructor}}`,
    `\u0000<b>`,
  ),
);

function everywhere(text: string) {
  return (
    <div>
      <Name>{text}</Name>
      <Code>{text}</Code>
      <Phone number={text} />
      <ForeignText text={text} />
      <Raw>{text}</Raw>
      <CodeBlock code={text} label={text} />
      <CopyButton text={text} label={text} />
      <Notice tone="warn">{text}</Notice>
      <Empty icon="key" title={text} command={text}>
        {text}
      </Empty>
      <Tabs label={text} current={text} tabs={[{ title: text, href: text }]} />
      <TextField name="name" label={text} value={text} hint={text} error={text} placeholder={text} />
      <TextArea name="text" label={text} value={text} rows={2} />
      <Chart
        title={text}
        times={[0]}
        step="day"
        series={[{ name: text, values: [1], line: "solid", colour: 1 }]}
        live={text}
      />
    </div>
  );
}

const plain = await parsed(renderPartial(locale, everywhere("plain"), formNumber));

test("no text that anybody writes, in any text or attribute, ever becomes markup", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      expect(await parsed(renderPartial(locale, everywhere(text), formNumber))).toEqual(plain);
    }),
    { numRuns: 300 },
  );
});

test("a message's text, account, reference and carrier answer are shown, not run", async () => {
  const page = (text: string) =>
    renderPartial(
      locale,
      <MessagePage
        shell={{ ...data.shell, user: text, owner: text, path: text }}
        view={{
          ...data.messageView,
          to: text,
          text,
          sender: text,
          key: text,
          reference: text,
          account: { id: "acc_1", name: text },
          curl: text,
          events: [
            {
              kind: "told",
              entry: "rejected",
              at: 0,
              route: text,
              reason: { kind: "told", reason: { code: "plain", words: text } },
            },
          ],
        }}
      />,
      formNumber,
    );
  const expected = await parsed(page("plain"));
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      expect(await parsed(page(text))).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});

test("figures that are all nothing are a sentence, not lines along zero, unless more of them come", () => {
  const drawn = (values: (number | null)[], live: { live?: string } = {}) => {
    const series = [{ name: "Delivered", values, line: "solid", colour: 1 }] as const;
    const chart = <Chart title="A day" times={values.map((_, at) => at)} step="day" series={series} {...live} />;
    return renderPartial(locale, chart, formNumber).includes("data-chart=");
  };
  expect([drawn([0, null]), drawn([0, 3]), drawn([0, null], { live: "outcomes" })]).toEqual([false, true, true]);
});

test("a component outside of a page fails loudly", async () => {
  const { renderToString } = await import("preact-render-to-string");
  expect(() => renderToString(<CopyButton text="x" />)).toThrow("outside of renderDocument");
});
