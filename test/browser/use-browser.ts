import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { startChromium } from '../support/processes/chromium.ts';
import { type RunningServer, startServer } from './running-server.ts';

/** A browser and a server as a user starts it for the first time, for all tests of a file; ended after the last. */
export async function useBrowser(
  environment: Record<string, string> = {},
): Promise<{ browser: Browser; server: RunningServer }> {
  const [browser, server] = await Promise.all([startChromium(), startServer(environment)]);
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });
  return { browser, server };
}
