import type { Row } from './team-tool.ts';
import type { Feature } from './waypoint-team.ts';

/** Everything written about specifications so far, by stream. */
export interface Desk {
  specs: Row[];
  phases: Row[];
  tasks: Row[];
  journal_entries: Row[];
  spec_notes: Row[];
  spec_revisions: Row[];
  plans: Row[];
  spec_reviews: Row[];
}

/** A specification while its parts are being written. */
export interface SpecInWork {
  id: string;
  status: 'pending' | 'active' | 'completed' | 'archived';
  feature: Feature;
  day: number;
}
