import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Read } from './read-all.ts';

export interface Measured {
  readonly name: string;
  /** CPU milliseconds of the longest turn of the event loop. */
  readonly cpu: number;
  /** The same on the clock, for a quiet machine. */
  readonly delay: number;
  /** Megabytes that the process has held at most so far. */
  readonly peak: number;
}

/** Runs reads one after another and measures each. */
export async function measureReads(reads: readonly Read[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { name, run } of reads) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    let cpu = 0;
    let isOver = false;
    let before = process.cpuUsage();
    const watch = () => {
      const { user, system } = process.cpuUsage(before);
      cpu = Math.max(cpu, (user + system) / 1_000);
      before = process.cpuUsage();
      if (!isOver) setImmediate(watch);
    };
    setImmediate(watch);
    delay.enable();
    await run();
    isOver = true;
    watch();
    delay.disable();
    measured.push({ name, cpu, delay: delay.max / 1e6, peak: readPeak() });
  }
  return measured;
}

/** The most memory that the process has held, in megabytes. */
export function readPeak(): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}
