import { join } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  readonly records: number;
  /** The filled folder; when it is the cached one, it is filled again whenever the layout of a store has changed. */
  readonly directory: string;
  readonly isCached: boolean;
  readonly strict: boolean;
  /** Another checkout, built, to be measured in turns with this one; nothing else is measured then. */
  readonly against: string | undefined;
}

export const outDirectory = join(import.meta.dirname, 'out');
export const TIME_ZONE = 'Europe/Berlin';
export const SEED = 1;

export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      records: { type: 'string', default: '1000000' },
      data: { type: 'string' },
      strict: { type: 'boolean', default: false },
      against: { type: 'string' },
    },
  });
  const records = Number(values.records.replaceAll(/[_,]/g, ''));
  if (!Number.isSafeInteger(records) || records < 10_000)
    throw new Error('--records takes a whole number from 10000');
  return {
    records,
    directory: values.data ?? join(outDirectory, `store-${records}`),
    isCached: values.data === undefined,
    strict: values.strict,
    against: values.against,
  };
}
