import { declareSource, describeObject, flag, integer, list, selection, text, time } from '../declare.ts';
import { addedMessageFields, attachment, messageSearch } from '../mail/message-fields.ts';

export const gmailDeclaration = declareSource('gmail', 'Gmail', [
  {
    name: 'threads',
    description: 'Mail conversations: one record per thread, with its subject and who took part.',
    display: {
      label: 'Mail conversations',
      detail: 'Subjects, participants and dates of your mail conversations, without the texts.',
    },
    semantics: 'mutable_state',
    schema: describeObject(['id'], {
      id: text(),
      subject: text(),
      participants: list('Mail addresses of everyone in the thread'),
      message_count: integer(),
      first_message_at: time(),
      last_message_at: time(),
    }),
    primary_key: ['id'],
    cursor_field: 'last_message_at',
    consent_time_field: 'last_message_at',
    selection,
    views: [{ id: 'basic', label: 'Subject and date', fields: ['id', 'subject', 'last_message_at'] }],
    relationships: [
      { name: 'messages', stream: 'messages', foreign_key: 'thread_id', cardinality: 'has_many' },
    ],
    query: { search: { lexical_fields: ['subject'] } },
  },
  {
    name: 'messages',
    description: 'Single mails, sent and received, with their full text.',
    display: { label: 'Mails', detail: 'The full text of the mails you sent and received, and with whom.' },
    semantics: 'append_only',
    // Not the time: there is mail without one.
    schema: describeObject(['id', 'thread_id'], {
      id: text(),
      thread_id: text(),
      subject: text(),
      from_name: text(),
      from_address: text(),
      to: list('Mail addresses of the recipients'),
      sent_at: time(),
      body: text(),
      labels: list('As Gmail shows them, in the language of the account'),
      is_unread: flag(),
      language: text('ISO 639-1 code of the language of the text'),
      history_id: text('Position in the change log of the mailbox; larger than a number can hold'),
      attachment,
      ...addedMessageFields,
    }),
    primary_key: ['id'],
    cursor_field: 'sent_at',
    consent_time_field: 'sent_at',
    selection,
    views: [
      {
        id: 'basic',
        label: 'Who, when and what about',
        fields: ['id', 'thread_id', 'subject', 'from_name', 'sent_at'],
      },
    ],
    relationships: [{ name: 'thread', stream: 'threads', foreign_key: 'thread_id', cardinality: 'has_one' }],
    query: messageSearch,
  },
]);
