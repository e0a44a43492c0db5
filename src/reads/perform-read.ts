import { cursorScope, type Grant } from '../grants/grant.ts';
import { ownerTerms } from '../grants/resolve-grant.ts';
import { type ReadVersions, withVersions } from '../limits/read-versions.ts';
import { GrantedReader } from '../reader/granted-reader.ts';
import { type Catalog, loadCatalog } from '../schema-index/catalog.ts';
import type { ReadStore } from '../store/store.ts';
import { writeJson } from '../text/write-json.ts';
import type { Dictionary } from '../words/spellings.ts';
import { createCursors, type Disclosure, type GrantedRead } from './granted-read.ts';

export interface PerformOptions {
  /** Undefined for the owner, who may read everything. */
  readonly grant: Grant | undefined;
  readonly requestId: string;
  readonly now: Date;
  /** The catalog, if the request has already loaded it. */
  readonly catalog?: Catalog | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The versions of the store when the call came in, if they are known. */
  readonly versions?: ReadVersions | undefined;
}

/** The result of a read. */
export interface Performed<Body extends object> {
  readonly body: Body;
  /** Exactly JSON.stringify(body). */
  readonly text: string;
  readonly tokens?: number | undefined;
  readonly disclosure: Disclosure;
}

/** Runs a read with the granted reader of its caller, after admission and before the audit. */
export type PerformRead = <Input, Body extends object>(
  read: GrantedRead<Input, Body>,
  input: Input,
  options: PerformOptions,
) => Promise<Performed<Body>>;

export interface PerformDeps {
  readonly store: ReadStore;
  readonly cursorKey: Uint8Array;
  readonly dictionary: Dictionary;
  readonly origin: string;
}

/** Runs reads in this thread. */
export function createPerformer({ store, cursorKey, dictionary, origin }: PerformDeps): PerformRead {
  // A WeakMap by grant, or by catalog for the owner. A reader has no request state and lives as long as its key.
  const readers = new WeakMap<object, { catalog: Catalog; reader: GrantedReader }>();

  const getReader = (grant: Grant | undefined, catalog: Catalog): GrantedReader => {
    const key = grant ?? catalog;
    const known = readers.get(key);
    if (known?.catalog === catalog) return known.reader;
    const reader = new GrantedReader(store, catalog, grant?.streams ?? ownerTerms(catalog), dictionary);
    readers.set(key, { catalog, reader });
    return reader;
  };

  return (read, input, { grant, requestId, now, catalog, versions }) =>
    withVersions(versions, async () => {
      const { body, tokens, disclosure } = await read.run(input, {
        reader: getReader(grant, catalog ?? (await loadCatalog(store))),
        cursors: createCursors(cursorKey, grant === undefined ? 'owner' : cursorScope(grant), now),
        origin,
        now,
        requestId,
      });
      return { body, text: writeJson(body), tokens, disclosure };
    });
}
