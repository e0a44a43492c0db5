import { prepareRequests } from '../test/docs/walked-requests.ts';
import { countRooms } from './count-rooms.ts';
import { prepareWalks } from './record-walk.ts';

/** Makes three requests, and a whole consent, and prints which files each enters, by module and from where. */
const { requests, makeSteady, close } = await prepareRequests();
const record = await prepareWalks();
for (const [name, work] of requests) {
  await makeSteady();
  const { files, rooms, changes, lines } = countRooms(await record(work));
  process.stdout.write(`${name}: ${files} files, ${rooms} modules, ${changes} module crossings\n`);
  process.stdout.write(`${lines.map((line) => `  ${line}`).join('\n')}\n\n`);
}
close();
// The session of the debugger would keep the process alive.
process.exit();
