import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** How long each figure is measured. */
export interface Pace {
  readonly rounds: number;
  /** Calls of a case per round, as a multiple of the usual number. */
  readonly repeat: number;
}

export interface Options extends Pace {
  readonly records: number;
  /** The filled folder; when it is the cached one, it is filled again whenever the layout of a store has changed. */
  readonly directory: string;
  readonly isCached: boolean;
  readonly strict: boolean;
  /** Writes the tables of the performance pages. */
  readonly docs: boolean;
  /** Another checkout, built, to be measured in turns with this one; nothing else is measured then. */
  readonly against: string | undefined;
  /** Compares a store of ten million records with one of a million; nothing else is measured then. */
  readonly large: boolean;
  /** Compares a server on PostgreSQL with one on SQLite; nothing else is measured then. */
  readonly engine: 'sqlite' | 'postgres';
  /** The ids of the cases to measure; nothing else is measured then. */
  readonly only: readonly string[] | undefined;
}

export const outDirectory = join(import.meta.dirname, 'out');
export const TIME_ZONE = 'Europe/Berlin';
export const SEED = 1;

export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      records: { type: 'string' },
      large: { type: 'boolean', default: false },
      data: { type: 'string' },
      strict: { type: 'boolean', default: false },
      docs: { type: 'boolean', default: false },
      against: { type: 'string' },
      engine: { type: 'string', default: 'sqlite' },
      only: { type: 'string' },
      rounds: { type: 'string', default: '4' },
      repeat: { type: 'string', default: '1' },
    },
  });
  const usual = values.large ? '10000000' : '1000000';
  const records = readNumber('records', (values.records ?? usual).replaceAll(/[_,]/g, ''), 10_000);
  return {
    records,
    rounds: readNumber('rounds', values.rounds, 1),
    repeat: readNumber('repeat', values.repeat, 1),
    directory: values.data ?? storeDirectory(records),
    isCached: values.data === undefined,
    strict: values.strict,
    docs: values.docs,
    against: values.against,
    large: values.large,
    engine: readEngine(values.engine),
    only: values.only?.split(','),
  };
}

export function readEngine(name: string): Options['engine'] {
  if (name !== 'sqlite' && name !== 'postgres') throw new Error('--engine takes sqlite or postgres');
  return name;
}

/** The cached store with a number of records. */
export function storeDirectory(records: number): string {
  return join(outDirectory, `store-${records}`);
}

export function readNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  const isValid = Number.isFinite(value) && value >= least && (least < 1 || Number.isInteger(value));
  if (!isValid) throw new Error(`--${name} takes a number from ${least}`);
  return value;
}
