import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('../../artifacts/screenshots/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
const themes = ['light', 'dark'] as const;

/** Pictures are for people, who ask for them: PICTURES=1 npx vitest run test/browser. Taking them is most of the time. */
const takesPictures = process.env.PICTURES !== undefined;

export interface Look {
  /** Whether any of the page sticks out of a phone. */
  readonly sticksOut: boolean;
  /** What axe finds: rule and place, each once. Left out where it finds nothing. */
  readonly faults?: readonly string[];
}

/** The page as it stands, in both themes and sizes: what is wrong with it for some readers, and a picture of each. */
export async function lookAt(
  page: Page,
  name: string,
  /** Axe waits for timers, which a browser without script does not have. */
  script: 'script' | 'no script' = 'script',
): Promise<Look> {
  let sticksOut = false;
  const faults = new Set<string>();
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      if (takesPictures)
        await page.screenshot({ path: join(FOLDER, `${name}-${size}-${colorScheme}.png`), fullPage: true });
      // Colours do not depend on the size: each theme is gone over once, and each size.
      if (script === 'script' && (size === 'phone') === (colorScheme === 'dark'))
        for (const fault of await listFaults(page)) faults.add(fault);
    }
    sticksOut ||= await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  }
  await page.setViewportSize(sizes.desktop);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  return { sticksOut, ...(faults.size === 0 ? {} : { faults: [...faults] }) };
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
