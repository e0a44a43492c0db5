import { createBank } from './bank.ts';
import { createCalendar } from './calendar.ts';
import { createChats } from './chats.ts';
import { createConversations } from './conversations.ts';
import { createHealth } from './health.ts';
import { createMails } from './mails.ts';
import { createMusic } from './music.ts';
import { createNotes } from './notes.ts';

/** Returns the lines of the demo's data set: what `src/demo/demo.ndjson.gz` holds. */
export function buildDemo(): string[] {
  const lines = [
    ...createMails(),
    ...createCalendar(),
    ...createChats(),
    ...createBank(),
    ...createMusic(),
    ...createHealth(),
    ...createConversations(),
    ...createNotes(),
  ];
  return lines.map((line) => JSON.stringify(line));
}
