import type { StreamDeclaration } from '../../schema-index/declaration.ts';
import { openScratch, type Scratch } from '../../store/sqlite/scratch.ts';
import { type ColumnKind, ColumnProfile, type ColumnReading } from './column-profile.ts';
import { findTime } from './find-time.ts';
import { UniqueColumns } from './unique-columns.ts';

export type AnyRow = Readonly<Record<string, unknown>>;

interface GuessedStream {
  readonly stream: StreamDeclaration;
  readonly rows: number;
  readonly readings: ReadonlyMap<string, ColumnReading>;
  readonly notes: readonly string[];
}

const MAX_COLUMNS = 199;
/** The cache size for sorting ids on disk. */
const SCRATCH_KILOBYTES = 4_000;
/** The field for a computed key, if no column is unique. */
const COMPUTED_KEY = 'row_key';
const TIME_NAME =
  /date|time|stamp|created|updated|modified|when|\bon\b|_on$|_at$|[a-z]At$|\bts\b|_ts$|\bday\b|datum|zeit|fecha|\bdata\b|heure/i;
const WORDS_NAME = /title|name|subject|text|body|content|description|note|comment|message|summary/i;

interface GuessOptions {
  readonly timeZone: string;
  readonly dayFirst?: boolean;
}

interface GuessedTable {
  readonly key?: readonly string[];
  /** Columns that refer to a row of another table. */
  readonly references?: ReadonlySet<string>;
  /** Columns that are always text, whatever this file holds. */
  readonly texts?: readonly string[];
}

export const openGuessScratch = (): Scratch => openScratch(SCRATCH_KILOBYTES);

/** Guesses a stream from the rows of a table: field types, key, time and searched fields. */
export class StreamGuess {
  readonly #profiles = new Map<string, ColumnProfile>();
  readonly #ignored = new Set<string>();
  readonly #uniques: UniqueColumns;
  #rows = 0;

  /** `number` is unique among those that share the scratch database. */
  constructor(scratch: Scratch, number: number) {
    this.#uniques = new UniqueColumns(scratch, number);
  }

  get rows(): number {
    return this.#rows;
  }

  add(row: AnyRow): void {
    this.#rows += 1;
    const profiles = this.#profiles;
    const columns = Object.keys(row);
    for (const column of columns) {
      if (profiles.has(column)) continue;
      if (profiles.size >= MAX_COLUMNS) {
        if (this.#ignored.size < 1_000) this.#ignored.add(column);
        continue;
      }
      const added = new ColumnProfile(TIME_NAME.test(column));
      if (this.#rows > 1) added.add(undefined);
      profiles.set(column, added);
    }
    for (const [column, profile] of profiles) profile.add(row[column]);
    this.#uniques.add(row, columns);
  }

  describe(name: string, label: string, options: GuessOptions, table: GuessedTable): GuessedStream {
    const { key, references, texts } = table;
    const profiles = this.#profiles;
    for (const column of texts ?? []) profiles.get(column)?.setText();
    // A declared key may be binary, which is not read.
    const declared = key?.every((column) => profiles.get(column)?.isEverywhere) ? key : undefined;
    const unique = declared ?? this.#uniques.find(profiles, this.#rows, references);
    const described = describeStream(name, label, profiles, unique, this.#rows, options);
    if (this.#ignored.size === 0) return described;
    const note = `${label}: only the first ${MAX_COLUMNS} columns are imported`;
    return { ...described, notes: [...described.notes, note] };
  }
}

function describeStream(
  name: string,
  label: string,
  profiles: ReadonlyMap<string, ColumnProfile>,
  key: readonly string[] | undefined,
  rows: number,
  options: GuessOptions,
): GuessedStream {
  const fields = nameFields([...profiles.keys()]);
  const fieldOf = (column: string) => fields.get(column) as string;
  const properties = Object.fromEntries(
    [...profiles].map(([column, profile]) => [
      fieldOf(column),
      { ...SCHEMAS[profile.kind()], title: column },
    ]),
  );
  const time = findTime(profiles);
  const isText = ([, profile]: [string, ColumnProfile]) => profile.kind() === 'text' && !profile.isEmpty;
  const texts = [...profiles].filter(isText).map(([column]) => column);
  const searched = [
    ...texts.filter((one) => WORDS_NAME.test(one)),
    ...texts.filter((one) => !WORDS_NAME.test(one)),
  ]
    .filter((column) => !key?.includes(column))
    .slice(0, 8);
  const primary = key?.map(fieldOf) ?? [COMPUTED_KEY];
  const readings = new Map([...profiles].map(([column, profile]) => [column, profile.reading(options)]));
  const notes = [
    key === undefined
      ? `${label}: no unique ID column found, so keys are made from whole rows`
      : `${label}: the key is ${key.join(' and ')}`,
    time === undefined ? `${label}: no date column found` : `${label}: dates are taken from ${time}`,
    ...[...readings].flatMap(([column, { note }]) => (note === undefined ? [] : [`${column}: ${note}`])),
    ...[...profiles].flatMap(([column, { dateShare }]) =>
      dateShare === undefined
        ? []
        : [
            `${column}: only ${dateShare.days} of ${dateShare.of} values are dates, so it is imported as text`,
          ],
    ),
  ];
  const stream: StreamDeclaration = {
    name,
    description: `Rows of ${label}.`,
    display: { label, detail: `All columns of ${label}.` },
    semantics: 'mutable_state',
    schema: {
      type: 'object',
      properties: {
        ...(key === undefined ? { [COMPUTED_KEY]: { type: 'string', title: 'Key' } } : {}),
        ...properties,
      },
      required: primary,
    },
    primary_key: primary,
    ...(time === undefined ? {} : { cursor_field: fieldOf(time), consent_time_field: fieldOf(time) }),
    selection: { fields: true, resources: true },
    query: searched.length === 0 ? undefined : { search: { lexical_fields: searched.map(fieldOf) } },
  };
  return { stream: JSON.parse(JSON.stringify(stream)) as StreamDeclaration, rows, notes, readings };
}

const SCHEMAS: Readonly<Record<ColumnKind, object>> = {
  text: { type: ['string', 'null'] },
  integer: { type: ['integer', 'null'] },
  number: { type: ['number', 'null'] },
  boolean: { type: ['boolean', 'null'] },
  'date-time': { type: ['string', 'null'], format: 'date-time' },
  date: { type: ['string', 'null'], format: 'date' },
  list: { type: ['array', 'null'], items: { type: 'string' } },
  json: {},
};

/** Makes unique field names that declarations allow. */
export function nameFields(columns: readonly string[]): Map<string, string> {
  const taken = new Set<string>([COMPUTED_KEY]);
  return new Map(
    columns.map((column) => {
      const plain = column
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, 56);
      const base = /^[\p{L}_]/u.test(plain) && !(plain in Object.prototype) ? plain : `column_${plain}`;
      let name = base;
      for (let n = 2; taken.has(name); n++) name = `${base}_${n}`;
      taken.add(name);
      return [column, name];
    }),
  );
}
