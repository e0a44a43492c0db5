import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('../../artifacts/screenshots/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
const themes = ['light', 'dark'] as const;

/** Screenshots take most of the time, so they are optional: PICTURES=1 npx vitest run test/browser */
const takesPictures = process.env.PICTURES !== undefined;

export interface PageCheck {
  /** Whether the page is wider than a phone. */
  readonly overflows: boolean;
  /** The problems that axe finds: rule and element, each once. Undefined if there are none. */
  readonly faults?: readonly string[];
}

/** Checks the current page for overflow and accessibility, in both themes and sizes. */
export async function checkPage(
  page: Page,
  name: string,
  /** Axe waits for timers, which a browser without script does not have. */
  script: 'script' | 'no script' = 'script',
): Promise<PageCheck> {
  let overflows = false;
  const faults = new Set<string>();
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      if (takesPictures)
        await page.screenshot({ path: join(FOLDER, `${name}-${size}-${colorScheme}.png`), fullPage: true });
      // Colours do not depend on the size, so axe checks each theme and each size once.
      if (script === 'script' && (size === 'phone') === (colorScheme === 'dark'))
        for (const fault of await listFaults(page)) faults.add(fault);
    }
    overflows ||= await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  }
  await page.setViewportSize(sizes.desktop);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  return { overflows, ...(faults.size === 0 ? {} : { faults: [...faults] }) };
}

async function listFaults(page: Page): Promise<string[]> {
  // Given through the debugger, so the policy of the page, which allows no such script, stays as it is.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  // What is right is not asked for: to put it together takes longer than to find what is wrong.
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: { id: string; nodes: { target: string[] }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
