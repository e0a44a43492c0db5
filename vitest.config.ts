import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These install other people's programs: npm run test:clients, npm run test:conformance.
    exclude: ['test/clients/**', 'test/conformance/**'],
    // One core less is the default, which on two cores leaves one idle.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
