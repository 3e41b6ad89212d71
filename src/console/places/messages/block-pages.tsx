/** Blocking the recipient of a message. */
import { roleMay } from "../../../domain/roles.ts";
import { Notice } from "../../components/blocks.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { refusedFields } from "../../page/refusal.ts";
import { BlockPage, type BlockView } from "./block.tsx";
import { blockWords } from "./block-words.ts";

type MessageCall = PageCall<{ readonly code: string }>;

const pathOf = ({ params }: MessageCall): string => `/messages/${encodeURIComponent(params.code)}`;

async function question(call: MessageCall, fields: BlockView["fields"], errors: FieldErrors = {}) {
  const asked = await call.api("GET /messages/:trackingCode/block", { trackingCode: call.params.code });
  return <BlockPage shell={call.shell("messages")} view={{ path: pathOf(call), asked, fields, errors }} />;
}

async function block(call: MessageCall): Promise<PageAnswer> {
  const { api, form, locale, viewer } = call;
  const trackingCode = call.params.code;
  const fields = {
    list: form.text("list") === "all" ? ("all" as const) : ("account" as const),
    note: form.text("note"),
  };
  try {
    const asked = await api("GET /messages/:trackingCode/block", { trackingCode });
    const note = fields.note === "" ? {} : { note: fields.note };
    const { number } = await api("POST /messages/:trackingCode/block", { trackingCode, list: fields.list, ...note });
    const say = blockWords[locale.language];
    const lists = (
      <a class="button" href={`/suppression?find=${encodeURIComponent(number)}`}>
        {say.toLists}
      </a>
    );
    return redirect(
      pathOf(call),
      <Notice tone="ok" action={roleMay(viewer.role, "suppression.read") ? lists : null}>
        {fields.list === "all" ? say.stopsForAll(number) : say.stops[asked.stops](number, asked.accountName)}
      </Notice>,
    );
  } catch (reason) {
    return formAgain(await question(call, fields, refusedFields(reason, locale)));
  }
}

const path = "/messages/:code/block";
const action = "numbers.block";

export const blockPages = [
  page({
    method: "GET",
    path,
    action,
    answer: async (call) => document(await question(call, { list: "account", note: "" })),
  }),
  page({ method: "POST", path, action, answer: block }),
];
