import { statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** What `npm run test:fast` leaves out, by the reason why it takes long. */
const slow = {
  'in a real browser': ['test/browser/**/*.test.ts', 'test/dashboard/script.test.ts'],
  'starts a mail server, or waits for a hostile one': ['test/accounts/imap/*.test.ts'],
  'starts, floods or kills processes of the program': [
    'test/cli/!(terminal-words|warm-up|where).test.ts',
    'test/accounts/{commands,freshness}.test.ts',
    'test/attachments/kept-files.test.ts',
    'test/docs/writing-an-importer.test.ts',
    'test/listing/claude-desktop.test.ts',
    'test/reliability/**/*.test.ts',
    'test/processes/*.test.ts',
    'test/backup/{restore,scheduled}.test.ts',
    'test/import/import-messages.test.ts',
    'test/limits/*.test.ts',
    'test/owners/*.test.ts',
    'test/{doctor,service,updates}/*.test.ts',
    'test/oauth/flood.test.ts',
    'test/oauth/consent/consent-limits.test.ts',
    'test/security/{exhaustion,sockets,timing}.test.ts',
    'test/workers/*.test.ts',
    'test/store/{concurrent,damage,durability,full-disk-owner,missing-store}.test.ts',
    'test/store/upgrade/backup.test.ts',
    'test/store/move/*.test.ts',
  ],
  'compares thousands of random stores and requests': [
    'test/store/contract/**/*.test.ts',
    'test/http/fuzz/**/*.test.ts',
    'test/tools/{bad-input,paging,paging-under-writes}.test.ts',
  ],
  'plays weeks of use, or judges answers over a generated year': [
    'test/agents/**/*.test.ts',
    'test/generator/*.test.ts',
    'test/oauth/staying-connected.test.ts',
    'test/search/judged-quality.test.ts',
  ],
  'needs large files and texts': [
    'test/search/bounds.test.ts',
    'test/sources/memory/**/*.test.ts',
    'test/tools/bounded.test.ts',
  ],
  'imports every format, more than once': [
    'test/import/time-zone.test.ts',
    'test/security/second-account.test.ts',
    'test/sources/{contract,round-trip}/**/*.test.ts',
    'test/sources/{samples-foretold,stability}.test.ts',
  ],
  'starts a calendar server': ['test/accounts/{dav,feed,webdav}/*.test.ts'],
  'waits for many passphrases': ['test/owner/what-lives-on.test.ts', 'test/security/login.test.ts'],
};
const slowFiles = Object.values(slow).flat();

/**
 * Files that put modules of their own in the place of ours, which a process would keep for the files after them; and
 * those of the client, whose library knows only the answers of Node's own fetch, which a server in the process replaces.
 */
const isolatedFiles = [
  'test/store/contract/mutants/*.test.ts',
  'test/store/postgres/two-defences.test.ts',
  'test/client/*.test.ts',
  'test/workers/{aggregate-deadline,import-thread,read-pool}.test.ts',
];
const slowIsolatedFiles = [
  'test/store/contract/mutants/*.test.ts',
  'test/store/postgres/two-defences.test.ts',
  'test/workers/{aggregate-deadline,import-thread,read-pool}.test.ts',
  'test/client/{browser-sign-in,connect}.test.ts',
];
/** Suites that run a second time with their stores on PostgreSQL. */
const postgresFiles = [
  'test/{tools,grants,ingest,oauth}/**/*.test.ts',
  'test/accounts/run/*.test.ts',
  // These use both engines themselves, or change modules of SQLite.
  'test/store/contract/!(equality|mutants)/**/*.test.ts',
  'test/store/contract/!(same-access).test.ts',
];
/** These take long there: only `npm run test:postgres` runs them. */
const slowPostgresFiles =
  process.env.PDPP_TEST_CASES === 'all'
    ? []
    : ['test/store/contract/crowd-of-changes.test.ts', 'test/store/contract/large/*.test.ts'];
/** These install packages: npm run test:clients, test:conformance, test:cluster and test:packaging. */
const installingFiles = [
  'test/clients/**',
  'test/conformance/**',
  'test/cluster/**',
  'test/packaging/install/**',
];
/** Mailboxes of 50,000 mails, and runs that are killed a hundred times: npm run test:accounts. */
const longFiles = ['test/accounts/long/**'];
const allFiles = ['test/**/*.test.ts'];

const MEMORY_FOLDER = '/dev/shm';
const MIN_MEMORY_BYTES = 4 * 1024 ** 3;

/** Test stores live in memory where there is room: many tests would otherwise wait for the disk most of the time. */
function findTempFolder(): { TMPDIR?: string } {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize < MIN_MEMORY_BYTES ? {} : { TMPDIR: MEMORY_FOLDER };
  } catch {
    return {};
  }
}

export default defineConfig({
  test: {
    env: findTempFolder(),
    // One core less is the default, which on two cores leaves one idle.
    maxWorkers: '100%',
    // Some play a week of an app, or start dozens of processes; a busy machine takes its time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    globalSetup: ['test/support/postgres/global-setup.ts'],
    setupFiles: ['test/support/leave-the-clock.ts'],
    projects: [
      { extends: true, test: { name: 'fast-isolated', include: isolatedFiles, exclude: slowIsolatedFiles } },
      {
        extends: true,
        test: {
          name: 'fast',
          // Loading everything again for each file takes longer than most of these tests do.
          isolate: false,
          include: allFiles,
          exclude: [...isolatedFiles, ...installingFiles, ...longFiles, ...slowFiles],
        },
      },
      {
        extends: true,
        test: { name: 'slow', isolate: false, include: slowFiles, exclude: isolatedFiles },
      },
      {
        extends: true,
        test: { name: 'slow-isolated', include: slowIsolatedFiles },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          isolate: false,
          include: postgresFiles,
          exclude: slowPostgresFiles,
          env: { PDPP_TEST_ENGINE: 'postgres' },
        },
      },
    ],
  },
});
