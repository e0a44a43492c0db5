import { parseArgs } from 'node:util';
import { print, printTable } from '../../support/print-table.ts';
import { type FuzzOutcome, runFuzz } from './check-fuzz.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const [requests, seed] = [Number(values.requests), Number(values.seed)];

let [crashes, problems, slowest, done] = [0, 0, 0, 0];
const byRoute = new Map<string, Map<number, number>>();
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    crashes += 1;
    print(`CRASH after request ${seed + done - 1}: ${error instanceof Error ? error.stack : error}`);
  });

const started = performance.now();
await runFuzz({ requests, seed }, count);
printTable(
  [...byRoute]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([route, statuses]) => ({
      route,
      requests: [...statuses.values()].reduce((sum, n) => sum + n, 0),
      statuses: [...statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([status, n]) => `${status}: ${n}`)
        .join(', '),
    })),
);
print(
  `${done} requests, ${crashes} crashes, ${problems} untyped, unbounded or internal answers, slowest ${Math.round(slowest)} ms, ${Math.round((performance.now() - started) / 1_000)} s`,
);
process.exit(crashes + problems > 0 ? 1 : 0);

function count({ seed: at, request, status, ms, problem }: FuzzOutcome): void {
  done += 1;
  slowest = Math.max(slowest, ms);
  const statuses = byRoute.get(request.route) ?? new Map<number, number>();
  byRoute.set(request.route, statuses.set(status, (statuses.get(status) ?? 0) + 1));
  if (done % 10_000 === 0) print(`${done} requests`);
  if (problem === undefined) return;
  problems += 1;
  print(
    `PROBLEM ${problem}\n  ${request.method} ${request.path.slice(0, 300)}\n  ${JSON.stringify(request.headers).slice(0, 300)}\n  ${request.body?.slice(0, 500) ?? ''}\n  again: npm run fuzz -- --requests 1 --seed ${at}`,
  );
}
