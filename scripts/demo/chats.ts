import { createRandom } from '../../bench/generator/random.ts';
import type { DemoLine } from '../../src/demo/read-demo.ts';
import { createId, createLine } from './line.ts';
import { addSeconds, instant, type Moment, parseMoment, rank } from './moment.ts';
import { readBlocks } from './read-blocks.ts';

const CONNECTION = 'whatsapp_nora';
const OWNER = 'Nora';

interface Message {
  readonly chat: string;
  readonly sender: string;
  readonly text: string;
  readonly when: Moment;
}

/** WhatsApp chats and their messages, from `texts/chats.txt`. */
export function createChats(): DemoLine[] {
  const messages = readMessages();
  const chats = [...new Set(messages.map(({ chat }) => chat))];
  return [
    ...chats.map((chat) => createChat(chat, messages)),
    ...messages.map(({ chat, sender, text, when }, index) =>
      createLine(CONNECTION, 'messages', when, {
        id: createId('message', index, chat),
        chat_id: createId('chat', chat),
        chat,
        sender,
        from_me: sender === OWNER,
        sent_at: instant(when),
        text,
        kind: 'message',
      }),
    ),
  ];
}

/** A chat appears with its first message. */
function createChat(chat: string, messages: readonly Message[]): DemoLine {
  const own = messages.filter((message) => message.chat === chat);
  const [first] = own.toSorted((a, b) => rank(a.when) - rank(b.when)) as [Message];
  const participants = [...new Set(own.map(({ sender }) => sender))].sort();
  return createLine(CONNECTION, 'chats', first.when, {
    id: createId('chat', chat),
    name: chat,
    participants,
  });
}

/** `# Chat w-3.2 18:30`, then one `Sender: text` a line. People answer within minutes. */
function readMessages(): Message[] {
  const random = createRandom(1, 'chats');
  return readBlocks('chats.txt', '# ').flatMap(({ head, lines }) => {
    const [, chat, start] = /^(.+) (w[+-]?\d+\.\d \d\d:\d\d)$/.exec(head) ?? [];
    if (chat === undefined || start === undefined) throw new Error(`no chat: ${head}`);
    let when = addSeconds(parseMoment(start), random.int(0, 50));
    return lines
      .filter((line) => line !== '')
      .map((line) => {
        const [, sender, text] = /^(\p{L}+): (.+)$/u.exec(line) ?? [];
        if (sender === undefined || text === undefined) throw new Error(`no message: ${line}`);
        const message = { chat, sender, text, when };
        when = addSeconds(when, random.int(20, 260));
        return message;
      });
  });
}
