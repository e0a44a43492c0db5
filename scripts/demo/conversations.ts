import { createRandom } from '../../bench/generator/random.ts';
import type { DemoLine } from '../../src/demo/read-demo.ts';
import { createId, createLine } from './line.ts';
import { addSeconds, instant, parseMoment } from './moment.ts';
import { joinLines, readBlocks } from './read-blocks.ts';

const CONNECTION = 'chatgpt_nora';
const NOT_ENGLISH: Record<string, string> = {
  'Paella sin mariscos': 'es',
  'Wasserschaden in der Mietwohnung': 'de',
};

/** Conversations with ChatGPT, from `texts/conversations.txt`. */
export function createConversations(): DemoLine[] {
  const random = createRandom(1, 'conversations');
  return readBlocks('conversations.txt', '== ').flatMap(({ head, lines }) => {
    const [, start, model, title] = /^(w\S+ \d\d:\d\d) (\S+) \| (.+)$/.exec(head) ?? [];
    if (start === undefined || title === undefined) throw new Error(`no conversation: ${head}`);
    const id = createId('conversation', title);
    const turns = readTurns(lines);
    let when = addSeconds(parseMoment(start), random.int(0, 55));
    const times = turns.map(({ role }) => {
      const own = when;
      when = addSeconds(when, role === 'user' ? random.int(4, 25) : random.int(60, 420));
      return own;
    });
    const last = times.at(-1) as (typeof times)[0];
    const conversation = createLine(CONNECTION, 'conversations', last, {
      id,
      title,
      created_at: instant(times[0] as (typeof times)[0]),
      updated_at: instant(last),
      model,
      message_count: turns.length,
      is_archived: false,
      is_starred: title.startsWith('Speech'),
    });
    const messages = turns.map(({ role, text }, index) =>
      createLine(CONNECTION, 'messages', last, {
        id: createId('turn', title, index),
        conversation_id: id,
        title,
        role,
        text,
        created_at: instant(times[index] as (typeof times)[0]),
        language: NOT_ENGLISH[title] ?? 'en',
        model: role === 'assistant' ? model : undefined,
        content_type: 'text',
        parent_id: index === 0 ? undefined : createId('turn', title, index - 1),
        from_me: role === 'user',
        on_current_branch: true,
      }),
    );
    return [conversation, ...messages];
  });
}

/** `U: ` begins a question, `A: ` an answer; both go on until the next. */
function readTurns(lines: readonly string[]): { role: 'user' | 'assistant'; text: string }[] {
  const turns: { role: 'user' | 'assistant'; lines: string[] }[] = [];
  for (const line of lines) {
    const [, who, text] = /^([UA]): (.*)$/.exec(line) ?? [];
    if (who !== undefined) turns.push({ role: who === 'U' ? 'user' : 'assistant', lines: [text as string] });
    else turns.at(-1)?.lines.push(line);
  }
  return turns.map(({ role, lines }) => ({ role, text: joinLines(lines) }));
}
