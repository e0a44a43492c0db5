import { AppError } from '../errors.ts';
import { argument, hint, toolCall, wording } from '../text/hint.ts';
import { fewNames, suggest } from '../text/suggest.ts';
import type { Field } from './field.ts';

/**
 * Returns the field, or throws the same error for unknown and ungranted names. `fields` are the caller's own, so the error
 * cannot reveal others.
 */
export function getField(fields: ReadonlyMap<string, Field>, name: string, of: string): Field {
  const field = fields.get(name);
  if (field !== undefined) return field;
  const nearest = suggest(name, fields.keys());
  throw new AppError('unknown_field', hint`${argument(of)} names a field that this stream does not have.`, {
    hint: nearest === undefined ? 'Use one of the available fields.' : `Did you mean ${nearest}?`,
    available: fewNames(fields.keys()),
  });
}

const LONG_TEXT = hint`It is long text: use ${wording('the ', '')}${toolCall('search')}${wording(' tool', '')}.`;

/** Returns the field if it has a use; otherwise throws an error that lists the fields that do. */
export function getFieldFor(
  fields: ReadonlyMap<string, Field>,
  name: string,
  of: string,
  use: string,
  can: (field: Field) => boolean,
): Field {
  const field = getField(fields, name, of);
  if (can(field)) return field;
  const fit = [...fields.values()].filter(can).map((one) => one.name);
  throw new AppError(
    'unsupported_field',
    hint`${argument(of)} names a field that cannot be used to ${use}.`,
    {
      hint: field.kind === 'text' ? LONG_TEXT : 'Use one of the available fields.',
      available: fewNames(fit),
    },
  );
}
