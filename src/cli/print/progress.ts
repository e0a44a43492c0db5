import type { ImportProgress } from '../../import/run-import.ts';
import { showCount } from './format.ts';

/** A progress bar on stderr while a person watches; silent in pipes and logs. */
export function createProgress(
  total: number | undefined,
  unit: string,
): { update(done: number): void; end(): void } {
  const started = Date.now();
  let shown = 0;
  if (!process.stderr.isTTY) return { update() {}, end() {} };
  const draw = (done: number) => {
    const rate = Math.round(done / Math.max(0.001, (Date.now() - started) / 1_000));
    const part = total === undefined || total === 0 ? 0 : Math.min(1, done / total);
    const bar =
      total === undefined
        ? ''
        : `${'█'.repeat(Math.round(part * 30)).padEnd(30, '░')} ${Math.round(part * 100)} %  `;
    process.stderr.write(`\r${bar}${showCount(done)} ${unit}, ${showCount(rate)}/s   `);
  };
  return {
    update(done) {
      if (Date.now() - shown < 100) return;
      shown = Date.now();
      draw(done);
    },
    end() {
      process.stderr.write(`\r${' '.repeat(78)}\r`);
    },
  };
}

/** A bar with bytes, records, rate and time left on stderr while a person watches; silent in pipes and logs. */
export function createImportProgress(): { update(progress: ImportProgress): void; end(): void } {
  let started: number | undefined;
  let shown = 0;
  if (!process.stderr.isTTY) return { update() {}, end() {} };
  // A table is read once to guess its types, which takes a while of its own.
  process.stderr.write('Looking at what it holds');
  return {
    update(progress) {
      // From the first batch on: the time before it says nothing about how long the rest takes.
      if (started === undefined) started = shown = Date.now();
      if (Date.now() - shown < 100) return;
      shown = Date.now();
      process.stderr.write(`\r${describeProgress(progress, (shown - started) / 1_000)}   `);
    },
    end() {
      process.stderr.write(`\r${' '.repeat(100)}\r`);
    },
  };
}

/** One line: how much of it is read, how many records, how fast, how long still. */
function describeProgress({ bytes, bytesTotal, records }: ImportProgress, seconds: number): string {
  const rate = Math.round(records / Math.max(0.001, seconds));
  const words = [formatBytes(bytes), `${showCount(records)} records`, `${showCount(rate)}/s`];
  if (bytesTotal === undefined || bytesTotal === 0) return words.join(', ');
  const part = Math.min(1, bytes / bytesTotal);
  const bar = '█'.repeat(Math.round(part * 20)).padEnd(20, '░');
  const left = part > 0.01 ? `, ${formatSeconds((seconds / part) * (1 - part))} left` : '';
  words[0] = `${formatBytes(bytes)} of ${formatBytes(bytesTotal)}`;
  return `${bar} ${Math.round(part * 100)} %  ${words.join(', ')}${left}`;
}

function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return bytes < 1_000_000_000 ? `${Math.round(bytes / 1_000_000)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

function formatSeconds(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
