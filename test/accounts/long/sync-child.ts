import { readFileSync } from 'node:fs';
import { loadSource } from '../../../src/accounts/sources.ts';
import { openInputs } from '../../../src/import/open/open-inputs.ts';
import { recogniseInputs } from '../../../src/import/recognise.ts';
import { runImport } from '../../../src/import/run-import.ts';
import { mailImporter } from '../../../src/sources/mail/mail-importer.ts';
import { openStore } from '../../../src/store/sqlite/open-store.ts';
import { ACCOUNT_ID } from '../../support/accounts/account-row.ts';
import { addMailAccount, syncStore } from '../imap/open-account.ts';

/**
 * Run as a process of its own, so that it can be killed, and its memory and time are its own: syncs a mailbox into the
 * store of a folder, or imports an mbox file, and prints what that cost.
 */
const [folder = '', what = '', caFile = ''] = process.argv.slice(2);
const store = await openStore(folder);
const seconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
// Loading the client takes as long as some thousand mails.
await loadSource('imap');
const begun = seconds();
if (caFile !== '') {
  if ((await store.write.accounts.find(ACCOUNT_ID)) === undefined) await addMailAccount(store, Number(what));
  await syncStore(store, readFileSync(caFile, 'utf8'));
} else {
  const opened = await openInputs([what]);
  const { found } = await recogniseInputs([mailImporter], opened.files);
  const options = { timeZone: 'Europe/Berlin' };
  await runImport(store, found[0] as (typeof found)[0], { options, now: () => new Date() });
  opened.close();
}
const used = seconds() - begun;
const spans = await store.read.stored.spans();
const records = [...spans.values()].reduce((sum, one) => sum + one.records, 0);
const peakMb = Math.round(process.resourceUsage().maxRSS / 1_024);
process.stdout.write(`${JSON.stringify({ records, seconds: used, peakMb })}\n`);
store.close();
