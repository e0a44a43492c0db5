import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { listAgainstRows, measureAgainst, renderAgainst } from './against.ts';
import { listLargeRows, measureLarge, renderLarge } from './large.ts';
import { measureAll, measureCalls } from './measure-all.ts';
import { loadMeasured, saveMeasured } from './measured.ts';
import { outDirectory, readOptions } from './options.ts';
import { measureEngines } from './postgres/engines.ts';
import { listEngineRows, listOtherEngineRows, renderEngines } from './postgres/report.ts';
import { listCaseRows, listOtherRows, renderCases, renderReport } from './report.ts';
import { ensureStore, withGrant } from './store.ts';
import { isMet, listTargets, renderTargets } from './targets.ts';
import { type DocsTables, writeDocs } from './write-docs.ts';

const options = readOptions(process.argv.slice(2));
const isPart = options.only !== undefined;
mkdirSync(outDirectory, { recursive: true });
execFileSync('npm', ['run', '-s', 'build'], { stdio: 'inherit', cwd: join(import.meta.dirname, '..') });

if (options.against !== undefined) {
  const against = await measureAgainst(options.against, options);
  console.log(renderAgainst(against));
  if (!isPart) {
    saveMeasured('against', against);
    finish({ against: listAgainstRows(against) });
  }
} else if (options.engine === 'postgres') {
  const engines = await measureEngines(options);
  console.log(renderEngines(engines));
  if (!isPart) {
    saveMeasured('engines', engines);
    finish({ engines: listEngineRows(engines), 'engines-other': listOtherEngineRows(engines) });
  }
} else if (options.large) {
  const large = await measureLarge(options);
  console.log(renderLarge(large));
  saveMeasured('large', large);
  finish({ large: listLargeRows(large) });
} else if (isPart) {
  await ensureStore(options);
  const { cases } = await withGrant(options.directory, (token) => measureCalls(options, token));
  console.log(renderCases(cases));
} else {
  const results = await measureAll(options);
  console.log(renderReport(results));
  saveMeasured('run', results);
  finish({ cases: listCaseRows(results.cases), other: listOtherRows(results) });
}

/** Ends a complete measurement with all targets. */
function finish(tables: DocsTables): void {
  const measured = loadMeasured();
  console.log(`\n${renderTargets(measured)}`);
  if (options.docs) writeDocs(tables);
  if (options.strict && listTargets(measured).some((one) => isMet(one) !== true)) process.exitCode = 1;
}
