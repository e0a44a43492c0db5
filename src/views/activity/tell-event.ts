import type { EventLine } from '../../audit/audit-rows.ts';
import type { Catalog } from '../../schema-index/catalog.ts';
import { nameConnection } from '../describe-access.ts';

const BY_APP = 'by the app';
const BY_COMMAND = 'on the command line';

/** What somebody else did than the kind of the event says, told as a sentence of its own. */
const byApp: Readonly<Record<string, string>> = {
  revoked: 'The app ended its access itself.',
};

const aboutConnections = new Set(['connection_ended', 'imported', 'import_undone', 'connection_removed']);

/** An event with its detail worked into words: who did it, and which connection it was about by its name. */
export function tellEvent(event: EventLine, catalog: Catalog): EventLine {
  const { kind, detail, text } = event;
  if (detail === BY_APP) return { ...event, text: byApp[kind] ?? text, detail: null };
  if (detail === BY_COMMAND)
    return { ...event, text: text.replace(/\.$/, ' on the command line.'), detail: null };
  if (detail === null || !aboutConnections.has(kind)) return event;
  return { ...event, detail: nameConnection(catalog, detail) };
}
