import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('../../artifacts/screenshots/', import.meta.url));

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
const themes = ['light', 'dark'] as const;

/** The page as it stands, in both themes and sizes, and whether any of it sticks out of a phone. */
export async function takeScreenshots(page: Page, name: string): Promise<{ sticksOut: boolean }> {
  mkdirSync(FOLDER, { recursive: true });
  let sticksOut = false;
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(FOLDER, `${name}-${size}-${colorScheme}.png`), fullPage: true });
    }
    sticksOut ||= await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  }
  await page.setViewportSize(sizes.desktop);
  await page.emulateMedia({ colorScheme: 'light' });
  return { sticksOut };
}
