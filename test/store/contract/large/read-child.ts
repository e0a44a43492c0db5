import { createWorld } from '../../../support/world.ts';
import { measureReads, readPeak } from './measure-reads.ts';
import { type Handles, listReads } from './read-all.ts';

/** Reads a store in every way, in a process of its own, and writes what each read has cost. */
const [directory, handles] = process.argv.slice(2) as [string, string];
const world = await createWorld({ directory });
const given = JSON.parse(handles) as Handles;
// What every process holds, and compiles at first use, is not what a read costs.
const warm = { ...given, count: 0 };
await world.call(warm.token, 'query_records', { stream: 'items', connection_id: 'other', limit: 1 });
const before = readPeak();
const measured = await measureReads(listReads(world, given));
world.store.close();
process.stdout.write(JSON.stringify({ before, measured }));
