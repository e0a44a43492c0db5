import { defineConfig } from 'vitest/config';

/**
 * Files that put modules of their own in the place of ours, which a process would keep for the files after them; and
 * those of the client, whose library knows only the answers of Node's own fetch, which a server in the process replaces.
 */
const apart = ['test/reader/mutants/**/*.test.ts', 'test/client/**/*.test.ts'];

export default defineConfig({
  test: {
    // One core less is the default, which on two cores leaves one idle.
    maxWorkers: '100%',
    // Some play a week of an app, or start dozens of processes; a busy machine takes its time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    setupFiles: ['test/support/leave-the-clock.ts'],
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      {
        extends: true,
        test: {
          name: 'together',
          // Loading everything anew for each file takes longer than most of these tests do.
          isolate: false,
          include: ['test/**/*.test.ts'],
          // The last two install other people's programs: npm run test:clients, npm run test:conformance.
          exclude: [...apart, 'test/clients/**', 'test/conformance/**'],
        },
      },
    ],
  },
});
