import { peekLog } from '../assistant/session-log.ts';
import { readChatLine } from '../chat/chat-line.ts';
import { splitSender } from '../chat/chat-text.ts';

/** Signal has no export. Two programs write chats: as lines, with the owner as `Me`, or as blocks with headers. */
export function isSignalChat(text: string): boolean {
  return isSignalLetters(text) || isSignalLines(text);
}

export function isSignalLetters(text: string): boolean {
  return /^\ufeff?Conversation: .+\r?\n\r?\n(From|Type): /.test(text);
}

function isSignalLines(text: string): boolean {
  const lines = text.split(/\r?\n/, 400).flatMap((line) => readChatLine(line) ?? []);
  return (
    lines.length > 0 &&
    lines.every(({ bracketed, date }) => bracketed && date[0].length === 4) &&
    // WhatsApp writes seconds in brackets; this program first wrote none.
    (lines.some(({ rest }) => splitSender(rest).sender === 'Me') ||
      /^\ufeff?\[\d{4}-\d\d-\d\d, \d\d:\d\d\] [^\n:]+: /.test(text))
  );
}

/** One program also writes each message as a line of JSON. */
export function isSignalData(text: string): boolean {
  const [first] = peekLog(text, 3);
  return first !== undefined && ['date', 'sender', 'body', 'quote', 'sticker'].every((name) => name in first);
}
