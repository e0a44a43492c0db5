import type { Alarm } from '../../src/audit/alarms.ts';

/** Data for the layout of every page of a signed-in owner. */
export interface Frame {
  readonly csrf: string;
  readonly alarms: readonly Alarm[];
  /** The command that adds the demo data. */
  readonly demo?: string;
}
