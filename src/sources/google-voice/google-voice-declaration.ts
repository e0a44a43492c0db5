import { declareChats } from '../chat/chat-declaration.ts';
import { describeObject, integer, oneOf, selection, sensitive, text, time } from '../declare.ts';

export const googleVoiceDeclaration = declareChats('google_voice', 'Google Voice', {
  messages: { phone: sensitive(text('Number of the sender')) },
  streams: [
    {
      name: 'calls',
      description: 'Calls and voicemails, with what was said where Google wrote it down.',
      display: {
        label: 'Calls',
        detail: 'With whom you telephoned, when, how long, and what was left on the machine.',
      },
      semantics: 'append_only',
      schema: describeObject(['id'], {
        id: text(),
        name: text(),
        phone: sensitive(text()),
        kind: oneOf(['placed', 'received', 'missed', 'voicemail', 'recorded']),
        duration_seconds: integer(),
        transcript: text(),
        called_at: time(),
      }),
      primary_key: ['id'],
      cursor_field: 'called_at',
      consent_time_field: 'called_at',
      selection,
      query: { search: { lexical_fields: ['transcript', 'name'] } },
    },
  ],
});
