import { showCount } from './show-count.ts';
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
