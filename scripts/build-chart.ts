import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
export const CHART_FILE = `${ROOT}src/http/mcp/chart.html`;

/** Builds the chart page: one file with its style and script, so that it needs no other. Not minified: hosts and people review it. */
export async function buildChart(): Promise<string> {
  const read = (name: string) => readFileSync(`${ROOT}chart/${name}`, 'utf8');
  const program = await rolldown({ input: `${ROOT}chart/app.ts`, platform: 'browser', tsconfig: false });
  const { output } = await program.generate({ format: 'iife', comments: false });
  await program.close();
  const script = output[0].code.replaceAll(/^\/\/#(end)?region.*\n/gm, '');
  if (script.includes('</')) throw new Error('The script would end its element.');
  // Functions, because a text could contain a pattern such as `$&`.
  return read('page.html')
    .replace('/* style */\n', () => read('chart.css'))
    .replace('/* script */\n', () => script);
}
