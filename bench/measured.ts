import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { AgainstFigures } from './against.ts';
import type { LargeFigures } from './large.ts';
import { outDirectory } from './options.ts';
import type { PeerFigures } from './peers/measure-peers.ts';
import type { EngineFigures } from './postgres/engines.ts';
import type { Results } from './report.ts';

/** What each benchmark command measured last. */
export interface Measured {
  readonly run?: Results;
  readonly against?: AgainstFigures;
  readonly peers?: PeerFigures;
  readonly large?: LargeFigures;
  readonly engines?: EngineFigures;
}

const fileOf = (name: keyof Measured) => join(outDirectory, `measured-${name}.json`);

/** When and how a command measured: figures of a short run or a busy machine must not pass for others. */
interface Circumstances {
  readonly records: number;
  readonly measuredAt: string;
  readonly systemLoadAfter: number;
}

export function describeMeasured(measured: Measured): string {
  return Object.keys(measured)
    .map((name) => `${name}: ${describeOne(measured, name as keyof Measured)}`)
    .join('; ');
}

export function describeOne(measured: Measured, name: keyof Measured): string {
  const { records, measuredAt, systemLoadAfter } = measured[name] as unknown as Circumstances;
  return `${records.toLocaleString('en')} records, ${measuredAt.slice(0, 10)}, system load ${systemLoadAfter.toFixed(1)}`;
}

export function saveMeasured<Name extends keyof Measured>(name: Name, figures: Measured[Name]): void {
  const circumstances = { measuredAt: new Date().toISOString(), systemLoadAfter: loadavg()[0] };
  writeFileSync(fileOf(name), JSON.stringify({ ...circumstances, ...figures }, null, 2));
}

export function loadMeasured(): Measured {
  const load = (name: keyof Measured) =>
    existsSync(fileOf(name)) ? { [name]: JSON.parse(readFileSync(fileOf(name), 'utf8')) } : {};
  return { ...load('run'), ...load('against'), ...load('peers'), ...load('large'), ...load('engines') };
}
