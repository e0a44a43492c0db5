import { defineConfig } from 'vitest/config';

/** Rooms whose tests leave nothing behind in a process: no clock, global or module of theirs is replaced. */
const together = [
  'acceptance',
  'dashboard',
  'grants',
  'guide',
  'ingest',
  'owner',
  'schema-index',
  'sources',
  'text',
  'time',
  'views',
  'words',
].map((room) => `test/${room}/**/*.test.ts`);

export default defineConfig({
  test: {
    // One core less is the default, which on two cores leaves one idle.
    maxWorkers: '100%',
    // Some play a week of an app, or start dozens of processes; a busy machine takes its time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    projects: [
      // Loading everything anew for each file takes longer than these tests do.
      { extends: true, test: { name: 'together', include: together, isolate: false } },
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['test/**/*.test.ts'],
          // The last two install other people's programs: npm run test:clients, npm run test:conformance.
          exclude: [...together, 'test/clients/**', 'test/conformance/**'],
        },
      },
    ],
  },
});
