import { AppError } from '../errors.ts';
import { isLive } from '../grants/grant.ts';
import { getGrant } from '../grants/grant-store.ts';
import type { Caller } from '../reads/admission.ts';
import { type RunRead, readPage } from '../reads/run-read.ts';
import { type Catalog, loadCatalog } from '../schema-index/catalog.ts';
import { noConnection } from '../schema-index/edit-catalog.ts';
import type { ReadStore } from '../store/store.ts';

import { type ConnectionSummary, connectionPage, type DataIndex, dataPage } from './data.ts';
import { listLiveGrants, nameApps } from './name-apps.ts';
import type { ListStart } from './reading/related.ts';
import { type RecordPage, recordPage } from './record.ts';
import { type RecordList, type RecordsInput, recordsPage } from './records.ts';
import { writeRecordsCsv } from './records-csv.ts';
import { type SearchHits, type SearchInput, searchPage } from './search-hits.ts';

/** The app that the page is viewed as, and the apps to choose from. */
export interface ViewAs {
  readonly viewing_as: { readonly grant_id: string; readonly client: string } | null;
  readonly apps: readonly { readonly grant_id: string; readonly client: string }[];
}

export type DataOverview = ViewAs &
  DataIndex & {
    /** When each stream last changed, by `connection/stream`; empty when viewing as an app. */
    readonly last_changes: Readonly<Record<string, string>>;
  };
export type SearchView = ViewAs & SearchHits & { readonly time_zone: string };
export type RecordsView = ViewAs & RecordList;
export type RecordView = ViewAs & RecordPage & { readonly format: 'markdown' | 'json' | null };

export interface DataViews {
  data(as: string | undefined, period?: string): Promise<DataOverview>;
  connection(id: string): Promise<ConnectionSummary>;
  search(input: SearchInput, as: string | undefined): Promise<SearchView>;
  records(input: RecordsInput, as: string | undefined): Promise<RecordsView>;
  /** All records of the list, as CSV. */
  recordsCsv(input: RecordsInput, as: string | undefined): Promise<AsyncGenerator<string>>;
  /** `path` is what follows /r/ in the address, still percent-encoded. */
  record(path: string, as: string | undefined, listStart?: ListStart): Promise<RecordView>;
}

/** Creates the data pages. All read through `run`, as the owner or as an app. */
export function createDataViews(deps: {
  readonly store: ReadStore;
  readonly run: RunRead;
  readonly now: () => Date;
}): DataViews {
  const { store, run, now } = deps;
  const open = async (as: string | undefined) => {
    const catalog = await loadCatalog(store);
    const viewer = await findViewer(store, as, now());
    const viewAs = await describeViewAs(store, catalog.timeZone, viewer, now());
    return { viewer, catalog, viewAs };
  };
  return {
    async data(as, period) {
      const { viewer, catalog, viewAs } = await open(as);
      const index = await readPage(run, dataPage, { period }, viewer, { catalog });
      const last_changes = viewer.kind === 'owner' ? await listLastChanges(store, catalog) : {};
      return { ...viewAs, ...index, last_changes };
    },
    async connection(connectionId) {
      const catalog = await loadCatalog(store);
      if (!catalog.connections.some((one) => one.connection_id === connectionId)) throw noConnection();
      return readPage(run, connectionPage, { connectionId }, { kind: 'owner' }, { catalog });
    },
    async search(input, as) {
      const { viewer, catalog, viewAs } = await open(as);
      const hits = await readPage(run, searchPage, input, viewer, { catalog });
      return { ...viewAs, time_zone: catalog.timeZone, ...hits };
    },
    async records(input, as) {
      const { viewer, catalog, viewAs } = await open(as);
      const list = await readPage(run, recordsPage, input, viewer, { catalog });
      return { ...viewAs, ...list };
    },
    async recordsCsv(input, as) {
      return writeRecordsCsv(run, input, await findViewer(store, as, now()));
    },
    async record(path, as, listStart = {}) {
      const { viewer, catalog, viewAs } = await open(as);
      // A record whose key ends in .md or .json takes precedence over a format.
      const suffix = /\.(md|json)$/.exec(path);
      const ids = suffix === null ? [path] : [path, path.slice(0, suffix.index)];
      const page = await readPage(run, recordPage, { ids, ...listStart }, viewer, { catalog });
      const format = page.found === 0 ? null : suffix?.[1] === 'md' ? 'markdown' : 'json';
      return { ...viewAs, ...page, format };
    },
  };
}

async function findViewer(store: ReadStore, as: string | undefined, now: Date): Promise<Caller> {
  if (as === undefined) return { kind: 'owner' };
  const grant = await getGrant(store, as);
  if (isLive(grant, now)) return { kind: 'client', grant };
  throw new AppError('grant_revoked', 'This app’s access has ended.');
}

async function describeViewAs(
  store: ReadStore,
  timeZone: string,
  viewer: Caller,
  now: Date,
): Promise<ViewAs> {
  const apps = nameApps(await listLiveGrants(store, now), timeZone);
  const own = viewer.kind === 'owner' ? undefined : viewer.grant.grantId;
  return { viewing_as: apps.find((app) => app.grant_id === own) ?? null, apps };
}

async function listLastChanges(store: ReadStore, { streams }: Catalog): Promise<Record<string, string>> {
  const byId = new Map(streams.map((stream) => [stream.streamId, stream]));
  return Object.fromEntries(
    [...(await store.stored.lastChanges())].flatMap(([id, at]) => {
      const stream = byId.get(id);
      return stream === undefined
        ? []
        : [[`${stream.connection.connection_id}/${stream.name}`, at.toISOString()]];
    }),
  );
}
