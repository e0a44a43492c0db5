import { declareChats } from '../chat/chat-declaration.ts';
import { describeObject, integer, list, selection, sensitive, text, time } from '../declare.ts';

export const telegramDeclaration = declareChats('telegram', 'Telegram', {
  kinds: ['service'],
  chats: { type: text('personal_chat, private_group, public_channel and the like') },
  messages: {
    sender_id: text(),
    reply_to_id: text('The message it answers'),
    forwarded_from: text(),
    edited_at: time(),
    media_type: text('photo, voice_message, sticker and the like'),
    duration_seconds: integer('Of a call, a voice message or a video'),
    reactions: list('Emoji others reacted with'),
  },
  streams: [
    {
      name: 'contacts',
      description: 'People in the address book of the account.',
      display: { label: 'Contacts', detail: 'Names and telephone numbers of your contacts.' },
      semantics: 'mutable_state',
      schema: describeObject(['id'], {
        id: text(),
        name: text(),
        phone: sensitive(text()),
        user_id: text(),
        added_at: time(),
      }),
      primary_key: ['id'],
      selection,
      query: { search: { lexical_fields: ['name'] } },
    },
  ],
});
