import { hasPassphrase } from '../owner/passphrase.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { SqliteStore } from '../store/sqlite/open-store.ts';
import { compareCounts } from '../store/sqlite/verify/compare-counts.ts';
import { examine, examinePages, examineServer } from '../store/sqlite/check/examine-files.ts';
import { showCount } from './print/format.ts';
import { type Finding, listFindings, print } from './print/print.ts';
import type { Call } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { readConfig, withExistingStore } from './run/with-store.ts';

export async function doctor(call: Call): Promise<void> {
  const { dataDirectory } = readConfig(call);
  const server = await examine('server', () => examineServer(dataDirectory));
  const pages = await examinePages(dataDirectory);
  // Pages that were just found sound are not read a second time.
  const look = pages.every(({ fine }) => fine) ? 'first page' : 'every page';
  const findings: Finding[] = [
    { check: 'data folder', fine: true, say: dataDirectory },
    ...server,
    ...pages,
    // A folder that cannot be opened is what this command is for.
    ...(await examine('store', () => withExistingStore(call, examineStore, look))),
    {
      check: 'more',
      fine: true,
      say: `${formatCommand('verify')} compares every record and every entry of the audit`,
    },
  ];
  print(call, findings, listFindings(findings));
  if (findings.some(({ fine }) => !fine)) process.exitCode = 3;
}

async function examineStore(store: SqliteStore): Promise<Finding[]> {
  const all = await Promise.all([
    examine('agreement', () => checkAgreement(store)),
    examine('content', () => checkContent(store)),
    examine('owner', () => checkOwner(store)),
    examine('removals', () => checkRemovals(store)),
  ]);
  return all.flat();
}

/** An interrupted removal is no damage, but its data is still in the files. */
async function checkRemovals(store: SqliteStore): Promise<Finding[]> {
  const rows = await store.write.db.selectFrom('removals').select('connection_id').distinct().execute();
  const names = rows.map(({ connection_id }) => connection_id).join(', ');
  const say = `${names} is not erased yet. Start the server, or run ${formatCommand('connection remove', 'ID')} again.`;
  return rows.length === 0 ? [] : [{ check: 'removals', fine: false, say }];
}

/** Records, facets, day counts and full text are written together; here they are compared. */
function checkAgreement(store: SqliteStore): Finding[] {
  const { records, facets, dayCounts, stray } = compareCounts(store.write.raw);
  const count = showCount(records);
  const tables: [string, number][] = [
    ['facets', facets],
    ['day counts', dayCounts],
  ];
  const findings = tables.map(([check, found]) => {
    const fine = found === records;
    return {
      check,
      fine,
      say: fine
        ? `agree with ${count} records`
        : `${showCount(found)} for ${count} records. Restore a backup.`,
    };
  });
  findings.push({
    check: 'full text',
    fine: stray === 0,
    say: stray === 0 ? 'no stray entries' : `${stray} stray entries. Restore a backup.`,
  });
  return findings;
}

async function checkContent(store: SqliteStore): Promise<Finding> {
  const { connections } = await loadCatalog(store.read);
  const n = connections.length;
  const say = n === 0 ? `empty. Try: ${formatCommand('demo')}` : `${n} connection${n === 1 ? '' : 's'}`;
  return { check: 'content', fine: true, say };
}

/** Nothing is wrong before the passphrase is set, but no app can be approved either. */
async function checkOwner(store: SqliteStore): Promise<Finding> {
  const say = (await hasPassphrase(store.read))
    ? 'the passphrase is set'
    : `no passphrase yet. Open the link that ${formatCommand('serve')} prints, or: ${formatCommand('owner reset')}`;
  return { check: 'owner', fine: true, say };
}
