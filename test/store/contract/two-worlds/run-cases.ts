import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createDraw } from '../../../support/draw.ts';
import { findEngine, useEngine } from '../../../support/stores/engines.ts';
import { drawTheme, type Theme } from '../draw/draw-tale.ts';
import { checkEngines } from '../equality/check-engines.ts';
import { checkCase } from './check-two-worlds.ts';

/** Which cases: the seeds from `seed` on, so many of them, each `step` after the one before. */
export interface Cases {
  readonly seed: number;
  readonly runs: number;
  readonly step: number;
  readonly theme: Theme | undefined;
  /** Where both worlds are stored. */
  readonly engine?: string | undefined;
  /** Compares the engines with each other, in place of two worlds. */
  readonly engines?: boolean | undefined;
}

export interface CaseDone {
  readonly theme: Theme;
  readonly requests: number;
  readonly cpuMs: number;
  /** What differed, and how to see it again. */
  readonly difference?: string;
}

export async function runCases(
  { seed, runs, step, theme, engine, engines }: Cases,
  done: (one: CaseDone) => void,
): Promise<void> {
  if (engine !== undefined) useEngine(findEngine(engine));
  for (let at = seed; at < seed + runs * step; at += step)
    done(await runCase(at, theme, engines ? checkEngines : checkCase));
}

async function runCase(seed: number, theme: Theme | undefined, check: typeof checkCase): Promise<CaseDone> {
  const before = process.cpuUsage();
  const spent = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  try {
    return { ...(await check(seed, theme)), cpuMs: spent() };
  } catch (error) {
    const difference = error instanceof Error ? error.message : String(error);
    return { theme: theme ?? drawTheme(createDraw(seed)), requests: 0, cpuMs: spent(), difference };
  }
}

const WORKER = fileURLToPath(new URL('./run-cases-child.ts', import.meta.url));

/** The same in so many processes, each of which takes every so-manieth seed. Rejects when one of them dies. */
export async function runCasesIn(
  jobs: number,
  { seed, runs, theme, engine, engines }: Omit<Cases, 'step'>,
  done: (one: CaseDone) => void,
): Promise<void> {
  const children = Array.from({ length: jobs }, (_, at): Promise<void> => {
    const cases: Cases = {
      ...{ seed: seed + at, runs: Math.ceil((runs - at) / jobs), step: jobs },
      ...{ theme, engine, engines },
    };
    const child = fork(WORKER, [JSON.stringify(cases)]);
    child.on('message', (one) => done(one as CaseDone));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code, signal) =>
        code === 0 ? resolve() : reject(new Error(`A process with cases ended with ${signal ?? code}.`)),
      );
    });
  });
  await Promise.all(children);
}
