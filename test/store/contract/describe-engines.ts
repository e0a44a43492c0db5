import * as vitest from 'vitest';
import { engines, useEngine } from '../../support/stores/engines.ts';

/** `describe` of vitest, once for each engine: worlds that its tests create are stored there. */
export function describe(title: string, define: () => void): void {
  for (const engine of engines)
    vitest.describe(`${title} (${engine.name})`, () => {
      vitest.beforeAll(() => useEngine(engine));
      define();
    });
}
