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
import { command, hint } from '../text/hint.ts';
import { examineServer } from './doctor/examine-server.ts';
import { formatAmount, printFindings } from './print/print.ts';
import type { Call } from './run/call.ts';
import { readConfig, withExistingStore } from './run/with-store.ts';

/** Checks the data folder, its database files, the server that runs on it, and what is set up. */
export async function doctor(call: Call): Promise<void> {
  const { dataDirectory } = readConfig(call);
  const server = await examine('server', () => examineServer(dataDirectory));
  const pages = await examinePages(dataDirectory);
  // Pages that were just checked are not read again.
  const depth = pages.every(({ fine }) => fine) ? 'first page' : 'every page';
  printFindings(call, [
    { check: 'data folder', fine: true, say: dataDirectory },
    ...server,
    ...pages,
    ...(await examine('store', () => withExistingStore(call, examineStore, depth))),
    {
      check: 'more',
      fine: true,
      say: hint`${command('verify')} checks every record and every audit entry`,
    },
  ]);
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

async function checkContent(store: SqliteStore): Promise<Finding> {
  const { connections } = await loadCatalog(store.read);
  const n = connections.length;
  const say =
    n === 0 ? hint`no data yet. To add demo data: ${command('demo')}` : formatAmount(n, 'connection');
  return { check: 'content', fine: true, say };
}

/** Reports a missing passphrase as fine: nothing is wrong, but no app can be approved yet. */
async function checkOwner(store: SqliteStore): Promise<Finding> {
  const say = (await hasPassphrase(store.read))
    ? 'passphrase set'
    : hint`no passphrase yet. Open the link that ${command('serve')} prints, or: ${command('owner reset')}`;
  return { check: 'owner', fine: true, say };
}
