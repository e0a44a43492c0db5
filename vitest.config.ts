import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These install other people's programs: npm run test:clients, npm run test:conformance.
    exclude: ['test/clients/**', 'test/conformance/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
