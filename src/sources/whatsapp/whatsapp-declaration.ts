import { declareChats } from '../chat/chat-declaration.ts';

export const whatsappDeclaration = declareChats('whatsapp', 'WhatsApp', {
  kinds: ['media', 'poll', 'location', 'system'],
  messages: { is_edited: 'flag' },
});
