/**
 * The search above a list: one field, and filters behind a button where there are any; a form that works without
 * JavaScript.
 */
import { useLocale } from "../locale.ts";
import { SubmitButton } from "./buttons.tsx";
import { type ChoiceKind, type Option, SelectField, TextField } from "./forms.tsx";
import { Icon } from "./inline.tsx";

export interface SearchFilter {
  name: string;
  label: string;
  value: string;
  /** Absent for a filter that is typed. */
  options?: readonly Option[];
  /** What a typed filter is searched among. */
  choices?: ChoiceKind;
  /** What a typed value means to the reader. */
  chosen?: string | undefined;
  hint?: string;
  placeholder?: string;
  error?: string | undefined;
  script?: "digits";
}

interface SearchFormProps {
  /** The list's path. */
  action: string;
  query: string;
  label: string;
  /** What may be typed. */
  hint?: string;
  filters?: readonly SearchFilter[];
  /** Hidden fields that the form also carries. */
  hidden?: readonly { name: string; value: string }[];
  /** How many filters are set. */
  chosen?: number;
}

export function SearchForm({ action, query, label, hint, filters = [], hidden = [], chosen = 0 }: SearchFormProps) {
  const { words } = useLocale();
  return (
    <search>
      <form class="search" method="get" action={action}>
        <div class="search-field">
          <Icon name="search" />
          <label class="unseen" for="search">
            {label}
          </label>
          <input
            class="control control-search digits"
            id="search"
            name="q"
            type="search"
            value={query}
            dir="auto"
            autoComplete="off"
            placeholder={label}
            title={hint}
          />
        </div>
        {filters.length === 0 ? null : <Filters filters={filters} chosen={chosen} />}
        {hidden.map(({ name, value }) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <SubmitButton label={words.lists.search} />
      </form>
    </search>
  );
}

function Filters({ filters, chosen }: Required<Pick<SearchFormProps, "filters" | "chosen">>) {
  const { words, format } = useLocale();
  return (
    <details class="filters" open={filters.some(({ error }) => error !== undefined)}>
      <summary class="button">
        <Icon name="filter" />
        {words.lists.filters}
        {chosen === 0 ? null : <span class="badge">{format.number(chosen)}</span>}
      </summary>
      <div class="filters-panel card">
        <div class="filters-fields">
          {filters.map(({ options, chosen: _, ...filter }) =>
            options === undefined ? (
              <TextField key={filter.name} {...filter} />
            ) : (
              <SelectField key={filter.name} {...filter} options={options} />
            ),
          )}
        </div>
        <p class="filters-search">
          <SubmitButton label={words.lists.search} />
        </p>
      </div>
    </details>
  );
}
