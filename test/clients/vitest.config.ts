import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Real clients, one after the other: they share ports, processors and sometimes a fixed callback address. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    include: ['test/clients/*.test.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    reporters: ['default', fileURLToPath(new URL('./support/summary.ts', import.meta.url))],
  },
});
