import { declareChats } from '../chat/chat-declaration.ts';
import { declareStream, oneOf } from '../declare.ts';

export const smsBackupDeclaration = declareChats('sms', 'SMS', {
  chats: { phone: 'text, sensitive: Numbers of the others' },
  messages: {
    phone: 'text, sensitive: Number of the other one',
    subject: 'text',
    type: oneOf(['sms', 'mms']),
    status: oneOf(['received', 'sent', 'draft', 'outbox', 'failed', 'queued', 'other']),
    is_read: 'flag',
  },
  streams: [
    declareStream('calls', 'Calls', {
      description: 'Telephone calls, with whom and how long.',
      detail: 'With whom you telephoned, when and how long.',
      semantics: 'append_only',
      time: 'called_at',
      fields: {
        id: 'text',
        name: 'text, search',
        phone: 'text, sensitive',
        direction: oneOf(['incoming', 'outgoing', 'missed', 'voicemail', 'rejected', 'blocked', 'other']),
        duration_seconds: 'integer',
        called_at: 'time',
      },
    }),
  ],
});
