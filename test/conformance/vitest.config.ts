import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** One mode after the other: the suite has time limits of its own and starts a dozen programs at once. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    include: ['test/conformance/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    // A run of the suite, a second one if the first was not clean, and the installation before it.
    hookTimeout: 600_000,
  },
});
