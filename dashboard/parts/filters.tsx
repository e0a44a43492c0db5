import type { RecordsView } from '../../src/views/data-views.ts';
import type { FilterChoice, FilterWord, ShownFilter } from '../../src/views/reading/record-filters.ts';

type Parameters = Record<string, string | null | undefined>;

const words: Record<FilterWord, string> = { is: 'is', has: 'contains', from: 'from', to: 'up to' };

/** Returns filters as query parameters. */
export function filterParameters(filters: readonly ShownFilter[]): Parameters {
  return Object.fromEntries(filters.map(({ word, field, value }) => [`${word}:${field}`, value]));
}

/** Active filters with links to remove them. */
export function ActiveFilters(props: { view: RecordsView; here: (parameters: Parameters) => string }) {
  const { filters, sort, viewing_as } = props.view;
  if (filters.length === 0) return null;
  const parameters = { as: viewing_as?.grant_id, sort };
  return (
    <p class="row narrowed">
      {filters.map((one) => (
        <span class="chip">
          {one.label} {words[one.word]} <b>{one.shown}</b>{' '}
          <a
            href={props.here({
              ...parameters,
              ...filterParameters(filters.filter((other) => other !== one)),
            })}
            aria-label={`Remove filter: ${one.label} ${words[one.word]} ${one.shown}`}
          >
            ×
          </a>
        </span>
      ))}
      <a href={props.here(parameters)}>Clear filters</a>
    </p>
  );
}

/** Form with all filterable fields. */
export function FilterForm({ view, action }: { view: RecordsView; action: string }) {
  const { choices, filters, sort, viewing_as } = view;
  if (choices.length === 0) return null;
  const given = (word: FilterWord, field: string) =>
    filters.find((one) => one.word === word && one.field === field)?.value;
  return (
    <details class="card">
      <summary>
        <h2>Filter</h2>
      </summary>
      <form method="get" action={action}>
        {viewing_as !== null && <input type="hidden" name="as" value={viewing_as.grant_id} />}
        {sort !== null && <input type="hidden" name="sort" value={sort} />}
        <div class="filter-grid">
          {choices.map((choice) => (
            <Choice choice={choice} given={given} />
          ))}
        </div>
        <button type="submit" class="primary">
          Filter
        </button>
      </form>
    </details>
  );
}

interface ChoiceProps {
  readonly choice: FilterChoice;
  readonly given: (word: FilterWord, field: string) => string | undefined;
}

function Choice({ choice, given }: ChoiceProps) {
  const { field, label, values, range } = choice;
  const chosen = given('is', field);
  if (values !== null) {
    const offered = chosen === undefined || values.includes(chosen) ? values : [chosen, ...values];
    return (
      <label class="field">
        {label}
        <select name={`is:${field}`}>
          <option value="">Any</option>
          {offered.map((value) => (
            <option value={value} selected={chosen === value}>
              {choice.kind === 'boolean' ? (value === 'true' ? 'yes' : 'no') : value}
            </option>
          ))}
        </select>
      </label>
    );
  }
  if (!range) {
    // The form filters text by a part of the value. A link may still filter by the whole value.
    const word = choice.kind === 'string' && chosen === undefined ? 'has' : 'is';
    const list = choice.suggested.length === 0 ? undefined : `values-${field}`;
    return (
      <label class="field">
        {label}
        <input
          name={`${word}:${field}`}
          value={given(word, field) ?? ''}
          placeholder={word === 'has' ? 'contains' : undefined}
          list={list}
          autocomplete="off"
        />
        {list !== undefined && (
          <datalist id={list}>
            {choice.suggested.map((value) => (
              <option value={value} />
            ))}
          </datalist>
        )}
      </label>
    );
  }
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <span class="from-to">
        <Bound choice={choice} word="from" value={given('from', field)} />
        <Bound choice={choice} word="to" value={given('to', field)} />
      </span>
    </fieldset>
  );
}

/** Input for a number or a day. Shows a value in another form, from a URL written by hand, as text. */
function Bound(props: { choice: FilterChoice; word: 'from' | 'to'; value: string | undefined }) {
  const { choice, word, value } = props;
  const isTime = choice.kind === 'date-time' || choice.kind === 'date';
  const isDay = value === undefined || /^\d{4}-\d\d-\d\d$/.test(value);
  return (
    <input
      type={isTime ? (isDay ? 'date' : 'text') : 'number'}
      step={isTime ? undefined : choice.kind === 'integer' ? '1' : 'any'}
      name={`${word}:${choice.field}`}
      value={value ?? ''}
      aria-label={`${choice.label} ${words[word]}`}
      placeholder={words[word]}
    />
  );
}
