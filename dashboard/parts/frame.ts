import type { Alarm } from '../../src/audit/alarms.ts';

/** What every page of a signed-in owner has around it. */
export interface Frame {
  readonly csrf: string;
  readonly alarms: readonly Alarm[];
  /** The command that fills in the demo. */
  readonly demo?: string;
}
