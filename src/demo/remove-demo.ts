import { DEMO_CONNECTIONS, FORMER_DEMO_CONNECTION_IDS } from './demo-connections.ts';

/** The connections that the demo made and nothing was imported into since: what one step can take away. */
export function findDemoConnections(present: readonly string[], imported: readonly string[]): string[] {
  const demo = [...DEMO_CONNECTIONS.map(({ connection_id }) => connection_id), ...FORMER_DEMO_CONNECTION_IDS];
  return demo.filter((id) => present.includes(id) && !imported.includes(id));
}
