import { usesFiles } from './engines.ts';

/** Cases on PostgreSQL for a hundred on SQLite: most of what random cases look for lies above the engine. */
const POSTGRES_SHARE = process.env.PDPP_TEST_CASES === 'all' ? 100 : 15;

/** Returns how many of so many random cases run on the engine under test; `npm run test:postgres` runs them all. */
export function countCases(all: number): number {
  return usesFiles() ? all : Math.ceil((all * POSTGRES_SHARE) / 100);
}
