import type Database from 'better-sqlite3';
import {
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { throwIfInterrupted } from './interrupt.ts';

/** A statement with its values. */
export interface BoundStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Stands for a value that is bound when the statement runs, by its index in the list of values. */
class Placeholder {
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }
}

export const [FIRST, SECOND, THIRD, FOURTH] = [0, 1, 2, 3].map((at) => new Placeholder(at)) as [
  Placeholder,
  Placeholder,
  Placeholder,
  Placeholder,
];

/** Compiles only, so it needs no connection. */
const compiler = new Kysely<unknown>({
  dialect: {
    createDriver: () => new DummyDriver(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/**
 * Returns a function that binds values to a statement. The statement is compiled once per key, because compiling takes
 * longer than most searches of the index.
 */
export function createTemplate<Key extends object>(
  build: (key: Key) => RawBuilder<unknown>,
): (key: Key, ...values: readonly unknown[]) => BoundStatement {
  /** A statement is released with its key, such as the parts of a search. */
  const compiled = new WeakMap<Key, BoundStatement>();
  return (key, ...values) => {
    let template = compiled.get(key);
    if (template === undefined) {
      template = build(key).compile(compiler);
      compiled.set(key, template);
    }
    return {
      sql: template.sql,
      parameters: template.parameters.map((one) => (one instanceof Placeholder ? values[one.at] : one)),
    };
  };
}

type Prepare = (sql: string) => Database.Statement;

/** By connection, so that the statements of a closed one are released. */
const prepares = new WeakMap<object, Prepare>();

/** Registers the prepared statements of a connection for `readRows`. */
export function registerStatements(db: object, prepare: Prepare): void {
  prepares.set(db, prepare);
}

/** Reads the rows of a statement synchronously. Kysely would await six promises for each statement. */
export function readRows<Row>(db: object, { sql, parameters }: BoundStatement): Row[] {
  throwIfInterrupted();
  const prepare = prepares.get(db);
  if (prepare === undefined) throw new Error('a connection without prepared statements reached a read');
  return prepare(sql).all(parameters) as Row[];
}
