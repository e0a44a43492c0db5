import { declareSource, declareStream, type Fields, hasMany, hasOne } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';

/** The first attachment; `attachments` has all. */
const attachment = {
  type: ['object', 'null'],
  properties: { name: { type: 'string' }, media_type: { type: 'string' }, size_bytes: { type: 'integer' } },
  required: ['name', 'media_type', 'size_bytes'],
};

/** Fields that all mail formats have, added after the first version of this declaration. */
const addedMessageFields: Fields = {
  cc: 'list: Mail addresses of recipients of a copy',
  bcc: 'list: Mail addresses of hidden recipients',
  is_from_me: 'flag: Whether the owner wrote it',
  folder: 'text: The folder or file that contained it',
  in_reply_to: 'text: The id of the mail it answers',
  attachments: {
    type: 'array',
    description: 'Names, kinds and sizes of the files that came with it; their text is in attachments',
    items: { ...attachment, type: 'object' },
  },
  attachment_names: 'list, search: File names of all attachments',
  to_names: 'list, search: Names of the recipients, if the mail has them',
  cc_names: 'list, search: Names of recipients of a copy',
  bcc_names: 'list: Names of hidden recipients',
};

const streams = declareSource('gmail', 'Gmail', [
  declareStream('threads', 'Mail conversations', {
    description: 'Mail conversations: one record per thread, with its subject and who took part.',
    detail: 'Subjects, participants and dates of your mail conversations, without the texts.',
    time: 'last_message_at',
    view: { label: 'Subject and date', fields: ['id', 'subject', 'last_message_at'] },
    relations: [hasMany('messages', 'messages', 'thread_id')],
    fields: {
      id: 'text',
      subject: 'text, search',
      participants: 'list: Mail addresses of everyone in the thread',
      message_count: 'integer',
      first_message_at: 'time',
      last_message_at: 'time',
    },
  }),
  declareStream('messages', 'Mails', {
    description: 'Single mails, sent and received, with their full text.',
    detail: 'The full text of the mails you sent and received, and with whom.',
    semantics: 'append_only',
    time: 'sent_at',
    view: {
      label: 'Who, when and what about',
      fields: ['id', 'thread_id', 'subject', 'from_name', 'sent_at'],
    },
    relations: [hasOne('thread', 'threads', 'thread_id')],
    fields: {
      id: 'text',
      thread_id: 'text, required',
      subject: 'text, search',
      from_name: 'text, search',
      from_address: 'text, search',
      to: 'list: Mail addresses of the recipients',
      sent_at: 'time',
      body: 'text, search',
      labels: 'list: As Gmail shows them, in the language of the account',
      is_unread: 'flag',
      language: 'text: ISO 639-1 code of the language of the text',
      history_id: 'text: Position in the change log of the mailbox; as text',
      attachment,
      ...addedMessageFields,
    },
  }),
]);

export const gmailDeclaration = declareAttachments(streams, 'messages');
