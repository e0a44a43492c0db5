import { expect, it } from 'vitest';
import { ANSWERS, readLines, recordAnswers } from './play.ts';

const SHOWN = 5;
const AROUND = 120;

it('answers every recorded request as it was recorded', async () => {
  const recorded = readLines(ANSWERS);
  const answered = await recordAnswers();
  const differences = answered.flatMap((line, index) =>
    line === recorded[index] ? [] : [describeDifference(recorded[index] ?? '', line)],
  );
  expect(differences.slice(0, SHOWN).join('\n'), `${differences.length} answers differ`).toBe('');
  expect(answered).toHaveLength(recorded.length);
});

function describeDifference(recorded: string, answered: string): string {
  const { request } = JSON.parse(answered);
  let at = 0;
  while (at < answered.length && answered[at] === recorded[at]) at += 1;
  const show = (line: string) => line.slice(Math.max(0, at - AROUND / 2), at + AROUND);
  return `${JSON.stringify(request)}\n  recorded: ${show(recorded)}\n  answered: ${show(answered)}`;
}
