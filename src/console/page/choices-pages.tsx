/**
 * What a field among too many choices for a list offers while its reader types: see `choices` of `TextField`. Without
 * a script the field takes the same text, which its form or filter resolves.
 */
import { Fragment } from "preact";
import type { ConsoleAction } from "../../domain/roles.ts";
import type { ChoiceKind, Option } from "../components/forms.tsx";
import { senderText } from "./accounts-and-senders.ts";
import { type PageCall, page, partial } from "./page.ts";

/** More is no choice; the next letter narrows it. */
const offeredMax = 20;

interface Choices {
  action: ConsoleAction;
  /** `value` is what the field takes, and `label` what it is known by. */
  find(api: PageCall["api"], query: string): Promise<Option[]>;
}

const plain = (value: string): Option => ({ value, label: "" });

const choices: Readonly<Record<ChoiceKind, Choices>> = {
  accounts: {
    action: "accounts.read",
    async find(api, query) {
      const { rows } = await api("GET /accounts", { query, limit: offeredMax });
      return rows.map(({ id, name }) => ({ value: id, label: name }));
    },
  },
  senders: {
    action: "messages.send",
    async find(api, query) {
      const { rows } = await api("GET /senders", { query, limit: offeredMax, active: true });
      return rows.map((one) => ({ value: senderText(one), label: one.accountName }));
    },
  },
  senderNames: {
    action: "messages.read",
    async find(api, query) {
      const { rows } = await api("GET /senders", { query, limit: offeredMax });
      return [...new Set(rows.map(({ sender }) => sender))].map(plain);
    },
  },
  routes: {
    action: "routes.read",
    async find(api, query) {
      const sought = query.toLowerCase();
      const found = (await api("GET /routes")).filter(({ name }) => name.toLowerCase().includes(sought));
      return found.slice(0, offeredMax).map(({ name }) => plain(name));
    },
  },
  lines: {
    action: "inbound.read",
    async find(api, query) {
      const { rows } = await api("GET /lines", { query, limit: offeredMax });
      return rows.map(({ number }) => plain(number));
    },
  },
  keys: {
    action: "keys.read",
    async find(api, query) {
      const { rows } = await api("GET /keys", { query, limit: offeredMax });
      return rows.map(({ id, name, account }) => ({ value: id, label: `${name} · ${account}` }));
    },
  },
};

const queryMax = 200;

export const choicesPages = Object.entries(choices).map(([kind, { action, find }]) =>
  page({
    method: "GET",
    path: `/choices/${kind}`,
    action,
    async answer({ api, query }) {
      // The field sends itself, under its own name.
      const [typed = ""] = query.values();
      const offered = await find(api, typed.trim().slice(0, queryMax));
      return partial(
        <Fragment>
          {offered.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Fragment>,
      );
    },
  }),
);
