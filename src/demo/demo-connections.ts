import type { ReadStore } from '../store/store.ts';

/** One account of the demo. */
interface DemoConnection {
  readonly connection_id: string;
  readonly connector_key: string;
  readonly display_name: string;
  /** Names of the owner in the source. */
  readonly self?: readonly string[];
}

const nora = ['nora.keller@mail.example', 'Nora Keller'];

/** The connections of the demo, in the order of pages. */
export const DEMO_CONNECTIONS: readonly DemoConnection[] = [
  { connection_id: 'gmail_nora', connector_key: 'gmail', display_name: 'Gmail', self: nora },
  {
    connection_id: 'calendar_nora',
    connector_key: 'google_calendar',
    display_name: 'Calendar',
    self: nora,
  },
  { connection_id: 'whatsapp_nora', connector_key: 'whatsapp', display_name: 'WhatsApp', self: ['Nora'] },
  { connection_id: 'nordbank_nora', connector_key: 'bank', display_name: 'Nordbank' },
  { connection_id: 'spotify_nora', connector_key: 'spotify', display_name: 'Spotify' },
  { connection_id: 'health_nora', connector_key: 'apple_health', display_name: 'Apple Health' },
  { connection_id: 'nordbank_joint', connector_key: 'bank', display_name: 'Joint account' },
  {
    connection_id: 'gmail_household',
    connector_key: 'gmail',
    display_name: 'Household mail',
    self: ['keller.herrera@mail.example'],
  },
  { connection_id: 'chatgpt_nora', connector_key: 'chatgpt', display_name: 'ChatGPT' },
  { connection_id: 'notes_nora', connector_key: 'google_keep', display_name: 'Notes' },
];

/** The demo connections of version 0.1, which stores may still contain. */
export const FORMER_DEMO_CONNECTION_IDS: readonly string[] = [
  'gmail_personal',
  'google_calendar',
  'slack_work',
  'slack_climbing',
  'spotify',
  'bank_checking',
  'chatgpt',
  'github',
  'apple_health',
  'foundry',
  'foundry_mcp',
  'harmonic',
  'agor',
];

/** Returns the demo connections that can be removed in one step: those without imports. */
export function findDemoConnections(present: readonly string[], imported: readonly string[]): string[] {
  const demo = [...DEMO_CONNECTIONS.map(({ connection_id }) => connection_id), ...FORMER_DEMO_CONNECTION_IDS];
  return demo.filter((id) => present.includes(id) && !imported.includes(id));
}

/** Returns the evening on which a demo until this day ends, or undefined if `text` is not a date such as 2026-10-31. */
export function findEndOfDay(text: string): Date | undefined {
  const evening = new Date(`${text}T22:00:00Z`);
  // Date accepts February 31 as a day of March.
  const isDay = !Number.isNaN(evening.getTime()) && evening.toISOString().startsWith(`${text}T`);
  return isDay ? evening : undefined;
}

/** Returns when the demo in this store ends, or undefined if there is none. */
export async function findDemoEnd(store: ReadStore): Promise<Date | undefined> {
  const ids = DEMO_CONNECTIONS.map(({ connection_id }) => connection_id);
  const rows = (await store.catalog.listConnections()).filter((row) => ids.includes(row.connection_id));
  // Each connection was created one millisecond after the one before it. Some may have been removed.
  const ends = rows.map(
    ({ connection_id, created_at }) => new Date(created_at).getTime() - ids.indexOf(connection_id),
  );
  return ends.length === 0 ? undefined : new Date(Math.min(...ends));
}
