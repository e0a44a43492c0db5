import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** All tests of accounts that sync, with real servers, large mailboxes and killed processes: npm run test:accounts */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    include: ['test/accounts/**/*.test.ts'],
    testTimeout: 30 * 60_000,
    hookTimeout: 10 * 60_000,
    // Some measure memory and time.
    fileParallelism: false,
    setupFiles: ['test/support/leave-the-clock.ts'],
  },
});
