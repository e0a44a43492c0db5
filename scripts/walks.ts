import { readFileSync, writeFileSync } from 'node:fs';
import { prepareRequests } from '../test/docs/walked-requests.ts';
import { countRooms } from './count-rooms.ts';
import { prepareWalks } from './record-walk.ts';

/** Makes three requests and a whole sign-in, and writes the files that each enters into docs/call-paths.md. */
const { requests, makeSteady, close } = await prepareRequests();
const record = await prepareWalks();
const counts: string[] = [];
const paths: string[] = [];
for (const [name, work] of requests) {
  await makeSteady();
  const { files, rooms, changes, lines } = countRooms(await record(work));
  counts.push(`${files}, ${rooms}, ${changes}`);
  const title = `${name}: ${files} files, ${rooms} modules, ${changes} module crossings`;
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
// The session of the debugger would keep the process alive.
process.exit();
