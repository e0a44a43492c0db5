import { declareChats } from '../chat/chat-declaration.ts';
import { declareStream } from '../declare.ts';

export const telegramDeclaration = declareChats('telegram', 'Telegram', {
  kinds: ['service'],
  chats: { type: 'text: personal_chat, private_group, public_channel and the like' },
  messages: {
    sender_id: 'text',
    reply_to_id: 'text: The message it answers',
    forwarded_from: 'text',
    edited_at: 'time',
    media_type: 'text: photo, voice_message, sticker and the like',
    duration_seconds: 'integer: Of a call, a voice message or a video',
    reactions: 'list: Emoji others reacted with',
  },
  streams: [
    declareStream('contacts', 'Contacts', {
      description: 'People in the address book of the account.',
      detail: 'Names and telephone numbers of your contacts.',
      fields: {
        id: 'text',
        name: 'text, search',
        phone: 'text, sensitive',
        user_id: 'text',
        added_at: 'time',
      },
    }),
  ],
});
