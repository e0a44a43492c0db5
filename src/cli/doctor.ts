import { AppError } from '../errors.ts';
import { hasPassphrase } from '../owner/passphrase.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import { checkPages } from '../store/check-file.ts';
import type { Store } from '../store/open-store.ts';
import { type Command, dataOption, jsonOption, print, withStore } from './command.ts';

interface Finding {
  check: string;
  fine: boolean;
  say: string;
}

export const doctor: Command = {
  usage: 'doctor [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    await withStore(call, async (store, config) => {
      const findings = [
        { check: 'data folder', fine: true, say: config.dataDirectory },
        checkDatabase(store),
        ...checkAgreement(store),
        await checkContent(store),
        await checkOwner(store),
        { check: 'more', fine: true, say: 'pdpp verify compares every record and every entry of the audit' },
      ];
      print(
        call,
        findings,
        findings.map(({ check, fine, say }) => `${fine ? 'ok  ' : 'BAD '} ${check}: ${say}`).join('\n'),
      );
      if (findings.some(({ fine }) => !fine)) process.exitCode = 3;
    });
  },
};

function checkDatabase(store: Store): Finding {
  try {
    for (const database of [store.write.raw, store.audit.raw]) checkPages(database);
    return { check: 'database files', fine: true, say: 'every page is sound' };
  } catch (error) {
    const hint = error instanceof AppError ? error.hint : undefined;
    return { check: 'database files', fine: false, say: `damaged. ${hint ?? 'Restore a backup.'}` };
  }
}

/** Records, facets, day counts and full text are written together; here they are compared. */
function checkAgreement(store: Store): Finding[] {
  const count = (query: string) => store.write.raw.prepare(query).pluck().get() as number;
  const records = count('select count(*) from records');
  const tables: [string, string][] = [
    ['facets', 'select count(*) from facets'],
    ['day counts', 'select coalesce(sum(n), 0) from days'],
  ];
  const findings = tables.map(([check, query]) => {
    const found = count(query);
    const fine = found === records;
    return {
      check,
      fine,
      say: fine ? `agree with ${records} records` : `${found} for ${records} records. Restore a backup.`,
    };
  });
  const stray = count('select count(*) from texts_docsize where id not in (select rid from records)');
  findings.push({
    check: 'full text',
    fine: stray === 0,
    say: stray === 0 ? 'no stray entries' : `${stray} stray entries. Restore a backup.`,
  });
  return findings;
}

async function checkContent(store: Store): Promise<Finding> {
  const { connections } = await loadCatalog(store.read);
  const say = connections.length === 0 ? 'empty. Try: pdpp demo' : `${connections.length} connections`;
  return { check: 'content', fine: true, say };
}

/** Nothing is wrong before the passphrase is set, but no app can be approved either. */
async function checkOwner(store: Store): Promise<Finding> {
  const say = (await hasPassphrase(store.read))
    ? 'the passphrase is set'
    : 'no passphrase yet. Open the link that pdpp serve prints, or: pdpp owner reset';
  return { check: 'owner', fine: true, say };
}
