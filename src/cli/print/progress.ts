import type { ImportProgress } from '../../import/run-import.ts';
import { showCount } from './format.ts';

interface Progress<State> {
  update(state: State): void;
  end(): void;
}

const REDRAW_MS = 100;
const MAX_COLUMNS = 100;

/** A progress bar on stderr while a person watches; silent in pipes and logs. */
export function createProgress(total: number | undefined, unit: string): Progress<number> {
  return createLine((done, seconds) => {
    const bar = total === undefined ? '' : `${drawBar(total === 0 ? 0 : done / total, 30)}  `;
    return `${bar}${showCount(done)} ${unit}, ${showRate(done, seconds)}`;
  });
}

/** A bar with bytes, records, rate and time left. A table is read once to guess its types, which takes a while of its own. */
export function createImportProgress(): Progress<ImportProgress> {
  return createLine(({ bytes, bytesTotal, records }, seconds) => {
    const counts = `${showCount(records)} records, ${showRate(records, seconds)}`;
    if (bytesTotal === undefined || bytesTotal === 0) return `${formatBytes(bytes)}, ${counts}`;
    const part = Math.min(1, bytes / bytesTotal);
    const left = part > 0.01 ? `, ${formatSeconds((seconds / part) * (1 - part))} left` : '';
    return `${drawBar(part, 20)}  ${formatBytes(bytes)} of ${formatBytes(bytesTotal)}, ${counts}${left}`;
  }, 'Looking at what it holds');
}

/** A line that is drawn again as the work goes on. Time counts from the first update: the rest depends on what comes then. */
function createLine<State>(describe: (state: State, seconds: number) => string, first = ''): Progress<State> {
  if (!process.stderr.isTTY) return { update() {}, end() {} };
  process.stderr.write(first);
  let started: number | undefined;
  let shown = 0;
  return {
    update(state) {
      const now = Date.now();
      started ??= now;
      if (now - shown < REDRAW_MS) return;
      shown = now;
      process.stderr.write(`\r${describe(state, (now - started) / 1_000)}   `);
    },
    end() {
      process.stderr.write(`\r${' '.repeat(MAX_COLUMNS)}\r`);
    },
  };
}

function drawBar(part: number, width: number): string {
  const done = Math.min(1, part);
  return `${'█'.repeat(Math.round(done * width)).padEnd(width, '░')} ${Math.round(done * 100)} %`;
}

function showRate(count: number, seconds: number): string {
  return `${showCount(Math.round(count / Math.max(0.001, seconds)))}/s`;
}

function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return bytes < 1_000_000_000 ? `${Math.round(bytes / 1_000_000)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

function formatSeconds(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
