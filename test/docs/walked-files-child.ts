import { Session } from 'node:inspector/promises';
import { prepareRequests } from './walked-requests.ts';

/** Prints which files of ours each request enters, as V8 counts calls: no order and no callers, but in a second. */
const { requests, makeSteady, close } = await prepareRequests();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true });
const walked: Record<string, string[]> = {};
for (const [name, work] of requests) {
  await makeSteady();
  // What was called up to now is told here, and no more after it.
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const entered = result.filter(({ functions }) =>
    functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
  );
  walked[name] = entered.flatMap(({ url }) => /\/((?:src|dashboard)\/.+)\.js$/.exec(url)?.[1] ?? []).sort();
}
process.stdout.write(JSON.stringify(walked));
close();
process.exit();
