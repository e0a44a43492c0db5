import { hasPassphrase } from '../owner/passphrase.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import {
  examine,
  examineCounts,
  examinePages,
  examineRemovals,
} from '../store/sqlite/check/examine-files.ts';
import type { Finding } from '../store/sqlite/check/finding.ts';
import type { SqliteStore } from '../store/sqlite/open-store.ts';
import type { Store } from '../store/store.ts';
import { command, hint } from '../text/hint.ts';
import { examineServer } from './doctor/examine-server.ts';
import { formatAmount, printFindings } from './print/print.ts';
import type { Call } from './run/call.ts';
import { readConfig, withFolderStore, withStore } from './run/with-store.ts';

/** Checks the data folder, its database files, the server that runs on it, the content and the passphrase. */
export async function doctor(call: Call): Promise<void> {
  if (readConfig(call).database !== undefined) return printFindings(call, await examineDatabase(call));
  const { dataDirectory } = readConfig(call);
  const server = await examine('server', () => examineServer(dataDirectory));
  const pages = await examinePages(dataDirectory);
  // examinePages has read every page. If all were fine, opening the store reads only the first one.
  const pagesToCheck = pages.every(({ fine }) => fine) ? 'first page' : 'every page';
  printFindings(call, [
    { check: 'data folder', fine: true, say: dataDirectory },
    ...server,
    ...pages,
    ...(await examine('store', () => withFolderStore(call, examineStore, pagesToCheck))),
    {
      check: 'more',
      fine: true,
      say: hint`${command('verify')} checks every record and every audit entry`,
    },
  ]);
}

/** Opening the store checks the connection, the version of the server and the tables. */
function examineDatabase(call: Call): Promise<Finding[]> {
  return examine('database', () =>
    withStore(call, async (store) => [
      { check: 'database', fine: true, say: 'PostgreSQL can be reached, and its tables are up to date' },
      await checkContent(store),
      await checkOwner(store),
      { check: 'more', fine: true, say: 'to check the files of PostgreSQL, run pg_amcheck' },
    ]),
  );
}

async function examineStore(store: SqliteStore): Promise<Finding[]> {
  const all = await Promise.all([
    examine('agreement', () => examineCounts(store)),
    examine('content', () => checkContent(store)),
    examine('owner', () => checkOwner(store)),
    examine('removals', () => examineRemovals(store)),
  ]);
  return all.flat();
}

async function checkContent(store: Store): Promise<Finding> {
  const { connections } = await loadCatalog(store.read);
  const n = connections.length;
  const say =
    n === 0 ? hint`no data yet. To add demo data: ${command('demo')}` : formatAmount(n, 'connection');
  return { check: 'content', fine: true, say };
}

/** Reports a missing passphrase as fine: nothing is wrong, but no app can be approved yet. */
async function checkOwner(store: Store): Promise<Finding> {
  const say = (await hasPassphrase(store.read))
    ? 'passphrase set'
    : hint`no passphrase yet. Open the link that ${command('serve')} prints, or: ${command('owner reset')}`;
  return { check: 'owner', fine: true, say };
}
