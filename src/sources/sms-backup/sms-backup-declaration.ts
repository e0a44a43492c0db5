import { declareChats } from '../chat/chat-declaration.ts';
import { describeObject, flag, integer, oneOf, selection, sensitive, text, time } from '../declare.ts';

export const smsBackupDeclaration = declareChats('sms', 'SMS', {
  chats: { phone: sensitive(text('Numbers of the others')) },
  messages: {
    phone: sensitive(text('Number of the other one')),
    subject: text(),
    type: oneOf(['sms', 'mms']),
    status: oneOf(['received', 'sent', 'draft', 'outbox', 'failed', 'queued', 'other']),
    is_read: flag(),
  },
  streams: [
    {
      name: 'calls',
      description: 'Telephone calls, with whom and how long.',
      display: { label: 'Calls', detail: 'With whom you telephoned, when and how long.' },
      semantics: 'append_only',
      schema: describeObject(['id'], {
        id: text(),
        name: text(),
        phone: sensitive(text()),
        direction: oneOf(['incoming', 'outgoing', 'missed', 'voicemail', 'rejected', 'blocked', 'other']),
        duration_seconds: integer(),
        called_at: time(),
      }),
      primary_key: ['id'],
      cursor_field: 'called_at',
      consent_time_field: 'called_at',
      selection,
      query: { search: { lexical_fields: ['name'] } },
    },
  ],
});
