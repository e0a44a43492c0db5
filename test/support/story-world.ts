import type { GrantedStreamTerms } from '../../src/grants/grant.ts';
import { createGrant } from '../../src/grants/grant-store.ts';
import { ownerTerms } from '../../src/grants/resolve-grant.ts';
import { ingestLines } from '../../src/ingest/ingest-lines.ts';
import { installSource } from '../../src/ingest/install-source.ts';
import { findStream, loadCatalog } from '../../src/schema-index/catalog.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { addConnection, addSelf } from '../../src/schema-index/edit-catalog.ts';
import type { Store } from '../../src/store/store.ts';
import { type Account, declare, type Land, postAndLog, type StreamSpec } from './granted-sources.ts';
import { copyStore } from './store-copies.ts';
import { relaxSync, usesFiles } from './stores/engines.ts';
import type { Data, Step } from './story-step.ts';
import { createWorld, NOW, type World } from './world.ts';

/** A server that lives through a story, step by step. */
export interface StoryWorld extends World {
  apply(steps: readonly Step[]): Promise<void>;
  /** Newer declarations of the sources that are there. */
  redeclare(specs: readonly StreamSpec[]): Promise<void>;
  /** A grant with exactly these terms, and a token for it. */
  allow(terms: readonly GrantedStreamTerms[]): Promise<{ grantId: string; token: string }>;
  /** A token for exactly these terms. */
  issue(terms: readonly GrantedStreamTerms[]): Promise<string>;
  /** A token for everything that is declared by now. */
  issueAll(): Promise<string>;
}

export interface Setting {
  /** Settings of one name are alike. */
  readonly name?: string;
  readonly timeZone: string;
  readonly specs: readonly StreamSpec[];
  /** In the order in which they are added. */
  readonly connections: readonly Account[];
}

export const plainSetting = (timeZone: string, land: Land = postAndLog): Setting => ({ ...land, timeZone });

export async function openStory(setting: Setting): Promise<StoryWorld> {
  const { name, timeZone } = setting;
  const isCopied = name !== undefined && usesFiles();
  const directory = !isCopied
    ? await copyStore('empty', async () => {})
    : await copyStore(describeDeclared(setting), (store) => declareAll(store, setting));
  const world = await createWorld({ timeZone, directory });
  relaxSync(world.store);
  if (!isCopied) await declareAll(world.store, setting);
  const allow = async (streams: readonly GrantedStreamTerms[]) => {
    const { grant, token } = await createGrant(world.store.write, { clientName: 'Test app', streams }, NOW);
    return { grantId: grant.grantId, token };
  };
  const issue = async (streams: readonly GrantedStreamTerms[]) => (await allow(streams)).token;
  let count = 0;
  let version = 1;
  return {
    ...world,
    async redeclare(specs) {
      version += 1;
      for (const connector of new Set(specs.map((spec) => spec.connector))) {
        const own = specs.filter((spec) => spec.connector === connector);
        await world.addSource(declare(connector, own, String(version)), {});
      }
    },
    async apply(steps) {
      for (const run of splitRuns(steps)) {
        const { connection, spec } = (run[0] as Step).place;
        // Kept from batch to batch as long as nothing is declared, because with it goes what was compiled of it.
        const catalog = await loadCatalog(world.store.read);
        const stream = findStream(catalog, connection, spec.name);
        if (stream === undefined) throw new Error(`no stream ${connection}/${spec.name}`);
        const lines = run.map((step) => writeLine(step, count++));
        const report = await ingestLines(world.store.write, stream, catalog.timeZone, lines);
        if (report.refused > 0) throw new Error(`a line was refused: ${JSON.stringify(report.refusals)}`);
      }
    },
    allow,
    issue,
    issueAll: async () => issue(ownerTerms(await loadCatalog(world.store.read))),
  };
}

/** A copied store holds only these declarations and connections, whatever name a test gave to a changed setting. */
function describeDeclared({ name, specs, connections }: Setting): string {
  return JSON.stringify([name, specs, connections]);
}

async function declareAll({ write }: Store, { specs, connections }: Setting): Promise<void> {
  const sources = new Set<string>();
  for (const { id, connector, name, self = [] } of connections) {
    const own = specs.filter((spec) => spec.connector === connector);
    if (!sources.has(connector)) await installSource(write, checkDeclaration(declare(connector, own)), NOW);
    sources.add(connector);
    await addConnection(write, { connection_id: id, connector_key: connector, display_name: name }, NOW);
    await addSelf(write, id, self);
  }
}

/** Neighbours of the same stream go in together; their order stays. */
function splitRuns(steps: readonly Step[]): Step[][] {
  const runs: Step[][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (
      last?.[0]?.place.connection === step.place.connection &&
      last[0].place.spec.name === step.place.spec.name
    )
      last.push(step);
    else runs.push([step]);
  }
  return runs;
}

function writeLine({ place, key, data, stale }: Step, at: number): string {
  const emitted_at = new Date(
    stale === true ? Date.UTC(2026, 8, 1) : Date.UTC(2026, 9, 1) + at,
  ).toISOString();
  return data === undefined
    ? JSON.stringify({ key, op: 'delete', emitted_at })
    : JSON.stringify({ key, emitted_at, data: markBig(dropNulls(place.spec, data)) }).replace(
        /"#(-?\d+)#"/g,
        '$1',
      );
}

/** The program's own sources leave out fields without a value: their schemas allow no null. */
function dropNulls({ declared }: StreamSpec, data: Data): Data {
  return declared === undefined
    ? data
    : Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

/** JSON writes no bigints and no negative zero, so they go through a marked string and lose their quotes afterwards. */
function markBig(data: Data): Data {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (Object.is(value, -0)) return [name, '#-0#'];
      return [name, typeof value === 'bigint' ? `#${value}#` : value];
    }),
  );
}
