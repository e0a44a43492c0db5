import { prepareRequests } from '../test/docs/walked-requests.ts';
import { countRooms } from './count-rooms.ts';
import { prepareWalks } from './record-walk.ts';

/** Walks three requests, and all of a consent, through the house and prints which files each enters, by room and from where. */
const { requests, makeSteady, close } = await prepareRequests();
const record = await prepareWalks();
for (const [name, work] of requests) {
  await makeSteady();
  const { files, rooms, changes, lines } = countRooms(await record(work));
  process.stdout.write(`${name}: ${files} files, ${rooms} rooms, ${changes} changes of room\n`);
  process.stdout.write(`${lines.map((line) => `  ${line}`).join('\n')}\n\n`);
}
close();
// The session of the debugger would keep the process alive.
process.exit();
