import { declareChats } from './chat-declaration.ts';
import { flag } from './declare.ts';

export const whatsappDeclaration = declareChats('whatsapp', 'WhatsApp', {
  kinds: ['media', 'system'],
  messages: { is_edited: flag() },
});
