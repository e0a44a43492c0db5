import { declareSource } from '../declare.ts';
import { gmailDeclaration } from '../gmail/gmail-declaration.ts';

/**
 * Mail of any program and any server. The same streams as Gmail's, so that what was learned about one holds for
 * the other, but under a name of its own: it has no labels in Gmail's sense and no numbers of conversations.
 */
export const mailDeclaration = declareSource(
  'mail',
  'Mail',
  gmailDeclaration.streams.map((stream) => {
    const { history_id, language, ...properties } = stream.schema.properties as Record<string, unknown>;
    return { ...stream, schema: { ...stream.schema, properties } };
  }),
);

/** A conversation sums up its mails, whichever mailbox each came with. */
export const mailTotals = {
  threads: {
    of: 'messages',
    by: 'thread_id',
    count: 'message_count',
    first: 'first_message_at',
    last: 'last_message_at',
    people: 'participants',
  },
};
