import { declareChats } from '../chat/chat-declaration.ts';
import { declareStream, oneOf } from '../declare.ts';

export const googleVoiceDeclaration = declareChats('google_voice', 'Google Voice', {
  messages: { phone: 'text, sensitive: Number of the sender' },
  streams: [
    declareStream('calls', 'Calls', {
      description: 'Calls and voicemails, with what was said where Google wrote it down.',
      detail: 'With whom you telephoned, when, how long, and what was left on the machine.',
      semantics: 'append_only',
      time: 'called_at',
      search: ['transcript', 'name'],
      fields: {
        id: 'text',
        name: 'text',
        phone: 'text, sensitive',
        kind: oneOf(['placed', 'received', 'missed', 'voicemail', 'recorded']),
        duration_seconds: 'integer',
        transcript: 'text',
        called_at: 'time',
      },
    }),
  ],
});
