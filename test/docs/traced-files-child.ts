import { Session } from 'node:inspector/promises';
import { prepareRequests } from './traced-requests.ts';

/** Prints which of our files each request enters, by V8's call counts: without order and callers, but in a second. */
const { requests, close } = await prepareRequests();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true });
const traced: Record<string, string[]> = {};
for (const [name, work] of requests) {
  // Resets the counts.
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const entered = result.filter(({ functions }) =>
    functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
  );
  traced[name] = entered.flatMap(({ url }) => /\/((?:src|dashboard)\/.+)\.js$/.exec(url)?.[1] ?? []).sort();
}
process.stdout.write(JSON.stringify(traced));
close();
process.exit();
