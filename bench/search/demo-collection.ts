import { setTimeZone } from '../../src/schema-index/edit-catalog.ts';
import { DEMO_END } from '../demo-end.ts';
import { fillGenerated } from '../generator/fill-generated.ts';
import type { Collection, Question } from './collection.ts';
import { type DemoDocument, readDemoDocuments } from './demo-documents.ts';
import { type DemoQuestion, demoQuestions } from './demo-questions.ts';

/** The rules were read against this demo; another size has other records. */
const DEMO = { records: 6_000, seed: 1, until: DEMO_END };

/** The demo with questions whose answers a rule finds: every record of these streams whose text says this. */
export function loadDemoCollection(now: Date): Collection {
  const documents = readDemoDocuments(DEMO);
  return {
    name: 'demo',
    documents,
    questions: demoQuestions.map((one, index) => judgeByRule(one, index, documents)),
    async fill(store) {
      await setTimeZone(store, 'Europe/Berlin');
      await fillGenerated(store, DEMO, now);
    },
  };
}

function judgeByRule(question: DemoQuestion, index: number, documents: readonly DemoDocument[]): Question {
  const { kind, text, says, within, newest } = question;
  const matching = documents.filter(
    (one) =>
      (within === undefined || one.stream.startsWith(within)) &&
      says.every((rule) => rule.test(`${one.title}\n${one.text}`)),
  );
  const relevant =
    newest === undefined ? matching : matching.sort((a, b) => timeOf(b) - timeOf(a)).slice(0, newest);
  if (relevant.length === 0) throw new Error(`nothing in the demo answers "${text}"`);
  const id = `demo-q${String(index + 1).padStart(3, '0')}`;
  return { id, kind, text, relevant: new Set(relevant.map((one) => one.id)) };
}

const TIMES = ['sent_at', 'starts_at', 'date', 'created_at', 'played_at', 'last_message_at', 'started_at'];

function timeOf({ data }: DemoDocument): number {
  const name = TIMES.find((field) => typeof data[field] === 'string');
  return name === undefined ? Number.NEGATIVE_INFINITY : Date.parse(data[name] as string);
}
