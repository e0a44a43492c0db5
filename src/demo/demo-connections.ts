/** One account in the demo: which source it is of, and what the owner calls it. */
interface DemoConnection {
  readonly connection_id: string;
  readonly connector_key: string;
  readonly display_name: string;
  /** How the source calls the owner. */
  readonly self?: readonly string[];
}

const nora = ['nora.keller@mail.example', 'Nora Keller'];

/** The connections of the demo, in the order in which pages list them. */
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

/** The connections of the demo of version 0.1, which stores may still hold. */
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

/** The connections that the demo made and nothing was imported into since: what one step can take away. */
export function findDemoConnections(present: readonly string[], imported: readonly string[]): string[] {
  const demo = [...DEMO_CONNECTIONS.map(({ connection_id }) => connection_id), ...FORMER_DEMO_CONNECTION_IDS];
  return demo.filter((id) => present.includes(id) && !imported.includes(id));
}
