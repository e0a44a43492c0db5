import { declareChats } from '../chat/chat-declaration.ts';

export const discordDeclaration = declareChats('discord', 'Discord', {
  chats: {
    server: 'text: Name of the server it is on; none for direct messages',
    type: 'text: GUILD_TEXT, DM, GROUP_DM and the like',
    recipients: 'list: With whom, in direct messages: numbers or names of accounts',
  },
  messages: {
    server: 'text: Name of the server',
    sender_id: 'text',
    reply_to_id: 'text: The message it answers',
    edited_at: 'time',
  },
});
