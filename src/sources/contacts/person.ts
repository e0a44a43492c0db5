import type { InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { readDay } from '../../import/read/read-time.ts';
import { createKeyCounter } from '../values/unique-key.ts';

export interface Person {
  id?: string | undefined;
  name?: string | undefined;
  given_name?: string | undefined;
  family_name?: string | undefined;
  nickname?: string | undefined;
  organization?: string | undefined;
  job_title?: string | undefined;
  kind?: string | undefined;
  emails: string[];
  phones: string[];
  addresses: string[];
  birthday?: string | undefined;
  dates: string[];
  related: string[];
  urls: string[];
  handles: string[];
  groups: string[];
  note?: string | undefined;
  has_photo?: boolean | undefined;
  updated_at?: string | undefined;
  /** The same values with their labels: `mobile: +49 30 123`. Values without a label are left out. */
  labelled_emails: string[];
  labelled_phones: string[];
  labelled_addresses: string[];
}

export type ContactPoint = 'emails' | 'phones' | 'addresses';

export function createPerson(): Person {
  return {
    emails: [],
    phones: [],
    addresses: [],
    dates: [],
    related: [],
    urls: [],
    handles: [],
    groups: [],
    labelled_emails: [],
    labelled_phones: [],
    labelled_addresses: [],
  };
}

const MAX_ID_BYTES = 400;

/**
 * Makes contact keys: the id of the source, or name and first address, so that an edited entry keeps its key.
 * Entries with the same key are numbered. Exact copies in another file are reported as copies, because Google
 * writes one file with all contacts and one per label.
 */
export class PersonKeys {
  readonly #countKey = createKeyCounter();
  readonly #files = new Map<string, InputFile>();

  toRecord(person: Person, file: InputFile): Record<string, unknown> | 'copy' | undefined {
    const name =
      person.name ?? person.organization ?? person.nickname ?? person.emails[0] ?? person.phones[0];
    if (name === undefined) return undefined;
    const full = Object.entries({ ...person, name }).filter(([, value]) => !isEmpty(value));
    const content = hashKey(JSON.stringify(full));
    const first = this.#files.get(content);
    if (first !== undefined && first !== file) return 'copy';
    this.#files.set(content, file);
    const own =
      person.id !== undefined && Buffer.byteLength(person.id) <= MAX_ID_BYTES ? person.id : undefined;
    const key = own ?? hashKey(name, person.emails[0] ?? person.phones[0]);
    return { ...Object.fromEntries(full), id: this.#countKey(key) };
  }
}

const isEmpty = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

export function addTo(values: string[], value: string | undefined): void {
  const text = value?.trim() ?? '';
  if (text !== '' && !values.includes(text)) values.push(text);
}

/** Adds an address or number, with its label if it has one. */
export function addContactPoint(
  person: Person,
  list: ContactPoint,
  value: string | undefined,
  label?: string,
): void {
  addTo(person[list], value);
  const tidy = tidyLabel(label ?? '');
  if (value !== undefined && value.trim() !== '' && tidy !== '')
    addTo(person[`labelled_${list}`], `${tidy}: ${value.trim()}`);
}

/** Labels without information. */
const UNINFORMATIVE = /^(?:pref|internet|voice|msg|text|x400|smtp|parcel|postal|dom|intl|obsolete|value)$/i;
const SYNONYMS: Readonly<Record<string, string>> = { cell: 'mobile', business: 'work' };

/** Returns `mobile` for `CELL,VOICE` and `work fax` for `WORK,FAX`. Labels that the owner typed stay. */
function tidyLabel(label: string): string {
  const words = label
    .replace(/^\* /, '')
    .split(/[,\s]+/)
    .filter((word) => word !== '' && !UNINFORMATIVE.test(word));
  const isPlain = words.every((word) =>
    /^(?:home|work|business|cell|mobile|main|other|fax|pager)$/i.test(word),
  );
  if (!isPlain) return words.join(' ');
  return [...new Set(words.map((word) => word.toLowerCase()).map((word) => SYNONYMS[word] ?? word))].join(
    ' ',
  );
}

/** Returns YYYY-MM-DD, or --MM-DD without a year. A text whose order of day and month is unknown stays as written. */
export function writeBirthday(value: string): string | undefined {
  const text = value.trim();
  const whole = /^(\d{4})-?(\d\d)-?(\d\d)(?:$|T|\s)/.exec(text);
  // Apple writes 1604 for an unknown year.
  if (whole !== null && whole[1] !== '1604' && whole[1] !== '0000')
    return `${whole[1]}-${whole[2]}-${whole[3]}`;
  if (whole !== null) return `--${whole[2]}-${whole[3]}`;
  const yearless = /^-{1,2}(\d\d)-?(\d\d)$/.exec(text);
  if (yearless !== null) return `--${yearless[1]}-${yearless[2]}`;
  const local = /^\d{1,2}\. ?\d{1,2}\. ?\d{4}$|^\d{4}[/.]\d{1,2}[/.]\d{1,2}$/.test(text)
    ? readDay(text)
    : undefined;
  return local ?? (text === '' ? undefined : text);
}

export const describeDuplicates = (count: number) =>
  `${count} entries are also in another file and were imported once`;
