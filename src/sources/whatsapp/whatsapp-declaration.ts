import { declareChats } from '../chat/chat-declaration.ts';
import { declareAttachments } from '../declare-attachments.ts';

const chats = declareChats('whatsapp', 'WhatsApp', {
  kinds: ['media', 'poll', 'location', 'system'],
  messages: { is_edited: 'flag' },
});

export const whatsappDeclaration = declareAttachments(chats, 'messages');
