import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { Summary } from './support/summary.ts';

/** Real clients, one after the other: they share ports, processors and sometimes a fixed callback address. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    include: ['test/clients/*.test.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    reporters: ['default', new Summary()],
  },
});
