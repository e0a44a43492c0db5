import type { StreamDeclaration } from '../../schema-index/declaration.ts';
import { declareStream } from '../declare.ts';
import type { JsonItem } from '../files/json-items.ts';
import { isObject, type JsonObject, someOf, textOf } from '../values/json.ts';

const MAX_VALUES = 100;
const MAX_DEPTH = 8;
const MAX_VALUE_CHARACTERS = 2_000;

/** The stream for parts of an export without a stream of their own. */
export const otherStream: StreamDeclaration = declareStream('other', 'Everything else', {
  description: 'Other parts of the export: profile, settings, devices, ads, named as in the export.',
  detail: 'Profile, settings, devices and ads, as the export lists them.',
  semantics: 'append_only',
  time: 'created_at',
  isSensitive: true,
  search: ['values', 'list'],
  fields: {
    id: 'text',
    list: 'text: Name of the list in the export',
    values: 'list: Each value with its label',
    url: 'text',
    created_at: 'time',
  },
});

/** The key covers all values: changed settings are new records. */
export const otherIdentity = ['list', 'values'];

/** Converts an item of any shape. `parseTime` parses its times. */
export function readOtherItem(
  { names, value }: Pick<JsonItem, 'names' | 'value'>,
  parseTime: (value: unknown) => string | undefined,
): JsonObject {
  const values: string[] = [];
  let [url, created_at]: (string | undefined)[] = [];
  const collect = (inner: unknown, label: string, depth: number): void => {
    if (depth > MAX_DEPTH || values.length >= MAX_VALUES) return;
    if (Array.isArray(inner)) for (const one of inner) collect(one, label, depth + 1);
    else if (isObject(inner)) for (const [name, one] of Object.entries(inner)) collect(one, name, depth + 1);
    else {
      const text = typeof inner === 'boolean' ? String(inner) : textOf(inner);
      if (text === undefined) return;
      if (/^https?:\/\//.test(text)) url ??= text;
      if (/date|time|created/i.test(label)) created_at ??= parseTime(text);
      const short = text.slice(0, MAX_VALUE_CHARACTERS).toWellFormed();
      values.push(label === '' ? short : `${label}: ${short}`);
    }
  };
  collect(value, '', 0);
  return {
    list: names.join(' / ').slice(0, MAX_VALUE_CHARACTERS).toWellFormed(),
    values: someOf(values),
    url,
    created_at,
  };
}
