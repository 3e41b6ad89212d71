import { expect, test } from "bun:test";
import fc from "fast-check";
import { CodeBlock, CopyButton, Empty, Notice, Tabs } from "../../src/console/components/blocks.tsx";
import { Chart } from "../../src/console/components/chart.tsx";
import { TextArea, TextField } from "../../src/console/components/forms.tsx";
import { Code, ForeignText, Name, Phone } from "../../src/console/components/inline.tsx";
import { Raw } from "../../src/console/components/story.tsx";
import { renderPartial } from "../../src/console/html.tsx";
import { createLocale } from "../../src/console/locale.ts";

const formNumber = () => "one";
const locale = createLocale({ language: "en", zone: "UTC", now: 0 });

interface Seen {
  tags: string[];
  attributes: string[];
}

/** How an HTML parser reads it: the names of all elements and attributes. */
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

/** What people may write, and what they write to break out. */
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
        series={[{ outcome: "delivered", values: [1] }]}
        before={{ values: [1], days: null }}
      />
    </div>
  );
}

const plain = await parsed(renderPartial(locale, everywhere("plain"), formNumber));

test("no text or attribute that anybody writes ever becomes markup", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      expect(await parsed(renderPartial(locale, everywhere(text), formNumber))).toEqual(plain);
    }),
    { numRuns: 300 },
  );
});

test("a chart without any figures above zero is a sentence, not an empty drawing", () => {
  const drawn = (values: (number | null)[]) => {
    const series = [{ outcome: "delivered", values }] as const;
    const chart = <Chart title="A day" times={values.map((_, at) => at)} step="day" series={series} />;
    return renderPartial(locale, chart, formNumber).includes("data-chart=");
  };
  expect([drawn([0, null]), drawn([0, 3])]).toEqual([false, true]);
});

test("a component rendered outside of a page throws", async () => {
  const { renderToString } = await import("preact-render-to-string");
  expect(() => renderToString(<CopyButton text="x" />)).toThrow("outside of renderDocument");
});
