import type { GrantedStreamTerms } from '../../src/grants/grant.ts';
import { createGrant } from '../../src/grants/grant-store.ts';
import { ingestLines } from '../../src/ingest/ingest-lines.ts';
import { type Catalog, findStream, loadCatalog } from '../../src/schema-index/catalog.ts';
import { addConnection } from '../../src/schema-index/edit-catalog.ts';
import { connections, declare, type StreamSpec, specs } from './granted-sources.ts';
import type { Data, Step } from './story-step.ts';
import { createWorld, NOW, type World } from './world.ts';

/** A server that lives through a story, step by step. */
export interface StoryWorld extends World {
  tell(steps: readonly Step[]): Promise<void>;
  /** Newer declarations of the sources that are there. */
  redeclare(specs: readonly StreamSpec[]): Promise<void>;
  /** A token for exactly these terms. */
  issue(terms: readonly GrantedStreamTerms[]): Promise<string>;
}

export interface Setting {
  readonly timeZone: string;
  readonly specs: readonly StreamSpec[];
  /** In the order in which they are added. */
  readonly connections: readonly { readonly id: string; readonly connector: string; readonly name: string }[];
}

export const plainSetting = (timeZone: string): Setting => ({ timeZone, specs, connections });

export async function openStory(setting: Setting): Promise<StoryWorld> {
  const world = await createWorld({ timeZone: setting.timeZone });
  // Thousands of small writes, and no power cut to survive.
  world.store.write.raw.pragma('synchronous = off');
  for (const { id, connector, name } of setting.connections) {
    const isFirst = setting.connections.find((one) => one.connector === connector)?.id === id;
    const own = setting.specs.filter((spec) => spec.connector === connector);
    if (isFirst) await world.addSource(declare(connector, own), {});
    await addConnection(
      world.store.write,
      { connection_id: id, connector_key: connector, display_name: name },
      NOW,
    );
  }
  let told = 0;
  let version = 1;
  let catalog: Catalog | undefined;
  return {
    ...world,
    async redeclare(specs) {
      version += 1;
      for (const connector of new Set(specs.map((spec) => spec.connector))) {
        const own = specs.filter((spec) => spec.connector === connector);
        await world.addSource(declare(connector, own, String(version)), {});
      }
    },
    async tell(steps) {
      for (const run of splitRuns(steps)) {
        const { connection, spec } = (run[0] as Step).place;
        // Kept from batch to batch as long as nothing is declared, because with it goes what was compiled of it.
        catalog = await loadCatalog(world.store.write, catalog);
        const stream = findStream(catalog, connection, spec.name);
        if (stream === undefined) throw new Error(`no stream ${connection}/${spec.name}`);
        const lines = run.map((step) => writeLine(step, told++));
        const report = await ingestLines(world.store.write, stream, catalog.timeZone, lines);
        if (report.refused > 0) throw new Error(`a line was refused: ${JSON.stringify(report.refusals)}`);
      }
    },
    async issue(terms) {
      const { token } = await createGrant(world.store.write, { clientName: 'Test app', streams: terms }, NOW);
      return token;
    },
  };
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

function writeLine({ key, data, stale }: Step, at: number): string {
  const emitted_at = new Date(
    stale === true ? Date.UTC(2026, 8, 1) : Date.UTC(2026, 9, 1) + at,
  ).toISOString();
  return data === undefined
    ? JSON.stringify({ key, op: 'delete', emitted_at })
    : JSON.stringify({ key, emitted_at, data: markBig(data) }).replace(/"#(-?\d+)#"/g, '$1');
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
