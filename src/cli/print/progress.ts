import type { ImportProgress } from '../../import/run-import.ts';
import { formatBytes, formatCount } from './print.ts';

interface Progress<State> {
  update(state: State): void;
  end(): void;
}

const REDRAW_MS = 100;
const MAX_COLUMNS = 100;

/** Creates a progress bar on stderr. Prints nothing if stderr is not a terminal. */
export function createProgress(total: number | undefined, unit: string): Progress<number> {
  return createLine((done, seconds) => {
    const bar = total === undefined ? '' : `${drawBar(total === 0 ? 0 : done / total, 30)}  `;
    return `${bar}${formatCount(done)} ${unit}, ${formatRate(done, seconds)}`;
  });
}

/** Creates a bar with bytes, records, rate and time left. Until the first update it shows a fixed text, because tables are scanned for types first. */
export function createImportProgress(): Progress<ImportProgress> {
  return createLine(({ bytes, bytesTotal, records }, seconds) => {
    const counts = `${formatCount(records)} records, ${formatRate(records, seconds)}`;
    if (bytesTotal === undefined || bytesTotal === 0) return `${formatBytes(bytes)}, ${counts}`;
    const fraction = Math.min(1, bytes / bytesTotal);
    const left = fraction > 0.01 ? `, ${formatSeconds((seconds / fraction) * (1 - fraction))} left` : '';
    return `${drawBar(fraction, 20)}  ${formatBytes(bytes)} of ${formatBytes(bytesTotal)}, ${counts}${left}`;
  }, 'Checking your files');
}

/** Creates a line that is redrawn on each update. Time counts from the first update. */
function createLine<State>(describe: (state: State, seconds: number) => string, first = ''): Progress<State> {
  if (!process.stderr.isTTY) return { update() {}, end() {} };
  process.stderr.write(first);
  let started: number | undefined;
  let drawn = 0;
  return {
    update(state) {
      const now = Date.now();
      started ??= now;
      if (now - drawn < REDRAW_MS) return;
      drawn = now;
      process.stderr.write(`\r${describe(state, (now - started) / 1_000)}   `);
    },
    end() {
      process.stderr.write(`\r${' '.repeat(MAX_COLUMNS)}\r`);
    },
  };
}

function drawBar(fraction: number, width: number): string {
  const done = Math.min(1, fraction);
  return `${'█'.repeat(Math.round(done * width)).padEnd(width, '░')} ${Math.round(done * 100)} %`;
}

function formatRate(count: number, seconds: number): string {
  return `${formatCount(Math.round(count / Math.max(0.001, seconds)))}/s`;
}

function formatSeconds(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
