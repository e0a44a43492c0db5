import { findEndOfDay } from '../src/demo/demo-connections.ts';

/** The fixed end of the demo in tests and benchmarks, so that it is the same every day. */
export const DEMO_DAY = '2026-10-31';
export const DEMO_END = findEndOfDay(DEMO_DAY) as Date;
