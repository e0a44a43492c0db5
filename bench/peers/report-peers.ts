import { count, decimals, table } from '../table.ts';
import type { PeerFigures } from './measure-peers.ts';

const HEAD = [
  'p50',
  'p99',
  'calls/s: 1',
  'calls/s: 8',
  'calls/s: 64',
  'p99: 8',
  'p99: 64',
  'CPU ms',
  'tokens',
  'failed',
];

/** One table: each question with every server. */
export function renderPeers({ questions }: PeerFigures): string {
  return `${table([['question', 'server', ...HEAD], ...listRows(questions)])}
p50 and p99 in milliseconds with one connection; calls per second with 1, 8 and 64; CPU of the server per call with 8; tokens of an answer.
The stdio servers run in up to 8 processes, as each client starts its own; 64 connections share them.`;
}

/** The tables of the docs: calls per second with 8 connections, from which the chart is drawn, and everything else. */
export function listDocsTables({ questions }: PeerFigures): { perSecond: string[][]; all: string[][] } {
  const names = questions[0]?.sides.map(nameSide) ?? [];
  const perSecond = questions.map(({ title, sides }) => [
    title,
    ...sides.map(({ figures }) => count(figures[8]?.perSecond)),
  ]);
  return {
    perSecond: [['question', ...names], ...perSecond],
    all: [['question', 'server', ...HEAD], ...listRows(questions)],
  };
}

const nameSide = ({ name, version }: { name: string; version: string }) => `${name} ${version}`.trim();

function listRows(questions: PeerFigures['questions']): string[][] {
  return questions.flatMap(({ title, sides }) =>
    sides.map(({ name, version, figures, tokens }, at) => {
      const [one, eight, crowd] = [figures[1], figures[8], figures[64]];
      return [
        at === 0 ? title : '',
        nameSide({ name, version }),
        ...[one?.p50, one?.p99].map(decimals),
        ...[one?.perSecond, eight?.perSecond, crowd?.perSecond].map(count),
        ...[eight?.p99, crowd?.p99, eight?.cpu].map(decimals),
        count(tokens),
        count(Object.values(figures).reduce((sum, { errors }) => sum + errors, 0)),
      ];
    }),
  );
}
