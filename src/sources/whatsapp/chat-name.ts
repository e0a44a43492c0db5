import type { ChatEntry } from '../chat/chat-text.ts';
import { isNotice } from '../chat/whatsapp-body.ts';

/** On an iPhone the app's first words stand under the name of the chat. */
export function nameByApp(first: ChatEntry | undefined): string | undefined {
  return first?.line.bracketed === true && isNotice(first.text) ? first.sender : undefined;
}

/** `WhatsApp Chat with Anna.txt`, or a folder or zip of that name around `_chat.txt`. Many languages have it so. */
export function findName(path: string): string | undefined {
  for (const part of path.split('/').reverse()) {
    const bare = part.replace(/(\.(txt|zip))+$/i, '').replace(/ \(\d+\)$/, '');
    const match =
      /whatsapp.*?\s(?:with|mit|con|com|avec|met|med|ile|z|s|с|-|–)\s(.+)$/i.exec(bare) ??
      /^(?:chat|conversa|discussion).*whatsapp\s(?:\S+\s)?(.+)$/i.exec(bare);
    if (match?.[1] !== undefined) return match[1].trim();
  }
  return undefined;
}
