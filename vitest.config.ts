import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These install other people's programs: npm run test:clients, npm run test:conformance.
    exclude: ['test/clients/**', 'test/conformance/**'],
    // One core less is the default, which on two cores leaves one idle.
    maxWorkers: '100%',
    // Some play a week of an app, or start dozens of processes; a busy machine takes its time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
