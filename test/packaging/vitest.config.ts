import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Installs the package with npm in clean folders. Takes minutes for each version of Node where it compiles. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    include: ['test/packaging/install/*.test.ts'],
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
