import { encode } from 'gpt-tokenizer';
import type { Load } from '../load.ts';
import { type ByConnections, summarizeAll } from '../measure.ts';
import type { Question } from './questions.ts';
import type { Side } from './servers.ts';

export interface PeerFigures {
  readonly records: number;
  readonly questions: readonly QuestionFigures[];
}

export interface QuestionFigures {
  readonly id: string;
  readonly title: string;
  readonly sides: readonly SideFigures[];
}

export interface SideFigures {
  readonly name: string;
  readonly version: string;
  readonly figures: ByConnections;
  /** Tokens of an answer, the mean of some. Undefined where no model reads the answer. */
  readonly tokens: number | undefined;
}

const CONNECTIONS = [1, 8, 64];
const ASKED = 10;
const WARM_UP_CALLS = 20;

/** Asks all servers the same question in turns: one round goes through every server and number of connections. */
export async function measureQuestion(
  question: Question,
  sides: readonly Side[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<QuestionFigures> {
  const tokens: (number | undefined)[] = [];
  for (const side of sides) {
    tokens.push(await countTokens(question, side));
    await side.load(question, { connections: 1, calls: question.isSlow ? 2 : WARM_UP_CALLS });
  }
  const loads: Record<number, Load[]>[] = sides.map(() => ({}));
  const allConnections = question.isSlow ? CONNECTIONS.slice(0, 2) : CONNECTIONS;
  for (let round = 0; round < rounds; round++)
    for (const connections of allConnections)
      for (const [at, side] of sides.entries()) {
        const measured = await side.load(question, { connections, seconds, first: round * 37 });
        const list = loads[at] as Record<number, Load[]>;
        list[connections] = [...(list[connections] ?? []), measured];
      }
  return {
    id: question.id,
    title: question.title,
    sides: sides.map(({ name, version }, at) => ({
      name,
      version,
      figures: summarizeAll(loads[at] as Record<number, Load[]>),
      tokens: tokens[at],
    })),
  };
}

async function countTokens(question: Question, side: Side): Promise<number | undefined> {
  const counts: number[] = [];
  for (let index = 0; index < ASKED; index++) {
    const text = await side.ask(question, index);
    if (text === undefined) return undefined;
    if (text.length < 10) throw new Error(`${side.name} answered nothing: ${question.title}`);
    counts.push(encode(text).length);
  }
  return counts.reduce((sum, one) => sum + one, 0) / counts.length;
}
