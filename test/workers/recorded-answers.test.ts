import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANSWERS, readLines, recordAnswers } from '../recording/play.ts';

const before = process.env.PDPP_TEST_WORKERS;
beforeAll(() => {
  process.env.PDPP_TEST_WORKERS = '2';
});
afterAll(() => {
  if (before === undefined) delete process.env.PDPP_TEST_WORKERS;
  else process.env.PDPP_TEST_WORKERS = before;
});

it('workers answer every recorded request with the same bytes', { timeout: 120_000 }, async () => {
  expect(await recordAnswers()).toEqual(readLines(ANSWERS));
});
