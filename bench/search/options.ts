import { parseArgs } from 'node:util';
import { readEngine } from '../options.ts';

export interface SearchOptions {
  /** Only these collections. */
  readonly collections: readonly string[] | undefined;
  /** Every engine is asked with a third of the words misspelt. */
  readonly misspell: boolean;
  readonly knownItem: boolean;
  /** Questions that share no word with the records that answer them. */
  readonly meaning: boolean;
  /** How many questions to show, of each collection, that ours did worst on. */
  readonly worst: number;
  readonly json: boolean;
  /** With `postgres`, our server is asked on both engines, and must find the same. */
  readonly engine: 'sqlite' | 'postgres';
}

export function readSearchOptions(argv: readonly string[]): SearchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      collection: { type: 'string', multiple: true },
      misspell: { type: 'boolean', default: false },
      'known-item': { type: 'boolean', default: false },
      meaning: { type: 'boolean', default: false },
      worst: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
      engine: { type: 'string', default: 'sqlite' },
    },
  });
  return {
    collections: values.collection,
    misspell: values.misspell,
    knownItem: values['known-item'],
    meaning: values.meaning,
    worst: Number(values.worst),
    json: values.json,
    engine: readEngine(values.engine),
  };
}
