import { findEndOfDay } from '../src/demo/demo-connections.ts';

/** Where tests and measurements let the demo end, so that it is the same demo every day. */
export const DEMO_DAY = '2026-10-31';
export const DEMO_END = findEndOfDay(DEMO_DAY) as Date;
