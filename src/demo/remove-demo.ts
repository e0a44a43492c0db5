import { otherSystems } from './other-systems.ts';
import { personalSources } from './personal.ts';

/** The connections that the demo made and nothing was imported into since: what one step can take away. */
export function findDemoConnections(present: readonly string[], imported: readonly string[]): string[] {
  const demo = [...personalSources, ...otherSystems].flatMap(({ connections }) =>
    connections.map(({ connection_id }) => connection_id),
  );
  return demo.filter((id) => present.includes(id) && !imported.includes(id));
}
