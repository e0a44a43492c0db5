import { createConnections } from '../../../src/store/postgres/connections.ts';
import { openDatabases } from '../../../src/store/postgres/database.ts';
import { mergeWords } from '../../../src/store/postgres/search/merge-words.ts';
import { testSettings } from '../../support/postgres/databases.ts';

/** Run as a child process: `merge-child.ts URL OWNER`. Says when it begins to merge the words of an owner. */
const [url, owner] = process.argv.slice(2) as [string, string];
const connections = createConnections({ ...testSettings, url });
const { writes } = openDatabases(connections, Number(owner));
await writes.query({ parts: ['select 1'], values: [] });
process.stdout.write('merging\n');
await mergeWords(writes);
await connections.close();
