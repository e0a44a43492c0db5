import { declareSource } from '../declare.ts';
import { gmailDeclaration } from '../gmail/gmail-declaration.ts';

/** Mail of any other program or server. It has the same streams as Gmail, without labels and conversation ids. */
export const mailDeclaration = declareSource(
  'mail',
  'Mail',
  gmailDeclaration.streams.map((stream) => {
    const { history_id, language, ...properties } = stream.schema.properties as Record<string, unknown>;
    return { ...stream, schema: { ...stream.schema, properties } };
  }),
);

/** Sums the mails of a conversation over all mailboxes. */
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
