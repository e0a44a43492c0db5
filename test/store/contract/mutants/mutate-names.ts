import type { Field } from '../../../../src/schema-index/field.ts';
import type { Active } from './mutate-scope.ts';

type GrantedStreamModule = typeof import('../../../../src/reader/granted-stream.ts');
type Conditions = typeof import('../../../../src/store/sqlite/reads/scope-sql.ts');
type CatalogModule = typeof import('../../../../src/schema-index/catalog.ts');
type Nearest = typeof import('../../../../src/text/suggest.ts');
type Cursor = typeof import('../../../../src/reads/granted-read.ts');

/** What a tool is told about a stream. */
export function mutateGrantedStream(real: GrantedStreamModule, active: Active): GrantedStreamModule {
  return {
    ...real,
    createGrantedStream(scope, all) {
      const stream = real.createGrantedStream(scope, all);
      if (active.mutant === 'orders by an ungranted time')
        return { ...stream, timeField: scope.stream.timeField };
      if (active.mutant === 'lets ungranted fields be asked about')
        return { ...stream, fields: scope.stream.fields };
      return stream;
    },
  };
}

/** The two faults above also need the guard at the database to be gone, or it would turn them into failures. */
export function mutateConditions(real: Conditions, active: Active): Conditions {
  const open = (scope: Parameters<Conditions['columnOf']>[0]) =>
    active.mutant === 'orders by an ungranted time' ||
    active.mutant === 'lets ungranted fields be asked about'
      ? { ...scope, fields: new Set(scope.stream.fields.keys()) }
      : scope;
  return {
    ...real,
    columnOf: (scope, ...rest) => real.columnOf(open(scope), ...rest),
    whereConditions: (scope, ...rest) => real.whereConditions(open(scope), ...rest),
  };
}

/** Remembers every name of the store that was read last. */
export function mutateCatalog(real: CatalogModule, active: Active): CatalogModule {
  return {
    ...real,
    async loadCatalog(...args) {
      const catalog = await real.loadCatalog(...args);
      const names = (fields: ReadonlyMap<string, Field>) => [...fields.keys()];
      active.names = catalog.streams.flatMap((stream) => [stream.name, ...names(stream.fields)]);
      return catalog;
    },
  };
}

export function mutateNearest(real: Nearest, active: Active): Nearest {
  return {
    ...real,
    suggest: (sent, known) =>
      real.suggest(sent, active.mutant === 'suggests ungranted names' ? [...active.names, ...known] : known),
  };
}

export function mutateCursor(real: Cursor, active: Active): Cursor {
  return {
    ...real,
    writeSeq: (seq) =>
      active.mutant === 'lets the length of a handle tell how much is stored'
        ? String(seq)
        : real.writeSeq(seq),
  };
}
