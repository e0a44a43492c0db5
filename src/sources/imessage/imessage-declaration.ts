import { declareChats } from '../chat/chat-declaration.ts';

export const imessageDeclaration = declareChats('imessage', 'iMessage', {
  kinds: ['reaction', 'system'],
  chats: { service: 'text: iMessage, SMS or RCS', is_group: 'flag' },
  messages: {
    service: 'text: iMessage, SMS or RCS',
    subject: 'text',
    read_at: 'time',
    edited_at: 'time',
    reply_to_id: 'text: The message it answers',
    reaction_to_id: 'text: The message it is a reaction to',
    attachment_types: 'list: Kinds of the files: image/jpeg',
  },
});
