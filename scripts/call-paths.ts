import { readFileSync, writeFileSync } from 'node:fs';
import { prepareRequests } from '../test/docs/traced-requests.ts';
import { countModules } from './count-modules.ts';
import { prepareRecording } from './record-calls.ts';

/** Makes three requests and a whole sign-in, and writes the files that each enters into docs/call-paths.md. */
const { requests, close } = await prepareRequests();
const record = await prepareRecording();
const counts: string[] = [];
const paths: string[] = [];
for (const [name, work] of requests) {
  const { files, modules, crossings, lines } = countModules(await record(work));
  counts.push(`${files}, ${modules}, ${crossings}`);
  const title = `${name}: ${files} files, ${modules} modules, ${crossings} module crossings`;
  paths.push([title, ...lines.map((line) => `  ${line}`)].join('\n'));
}
close();
const page = new URL('../docs/call-paths.md', import.meta.url);
const [call = '', consent = '', view = '', signIn = ''] = counts;
const row = `| now   | ${call.padEnd(31)} | ${consent.padEnd(10)} | ${view.padEnd(10)} | ${signIn.padEnd(13)} |`;
// The sign-in is long and has a row in the table only.
const text = readFileSync(page, 'utf8')
  .replace(/^\| now .*$/m, row)
  .replace(/```[\s\S]*```/, `\`\`\`\n${paths.slice(0, 3).join('\n\n')}\n\`\`\``);
writeFileSync(page, text);
process.stdout.write(`${paths.join('\n\n')}\n`);
// The debugger session would keep the process alive.
process.exit();
