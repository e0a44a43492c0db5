import { describe, expect, it, onTestFinished } from 'vitest';
import { TEXT_STATUSES } from '../../src/attachments/file-text.ts';
import { TEXT_LIMITS } from '../../src/attachments/text-limits.ts';
import { TextPool } from '../../src/attachments/text-pool.ts';
import { createDice, flipBytes } from '../sources/contract/damage.ts';
import { readCorpus } from './make-mail.ts';

const ROUNDS = 500;

describe('a damaged file', () => {
  it('costs only its own text: 500 truncated and flipped files', async () => {
    const pool = new TextPool();
    onTestFinished(() => pool.close());
    const dice = createDice(7);
    const corpus = readCorpus().filter(({ name, bytes }) => bytes.length > 100 && !name.includes('bomb'));
    const statuses = new Map<string, number>();
    let slowest = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { name, bytes } = corpus[round % corpus.length] as (typeof corpus)[0];
      const damaged =
        round % 2 === 0 ? bytes.subarray(0, 1 + dice(bytes.length)) : flipBytes(Buffer.from(bytes), dice);
      const begun = performance.now();
      const { status, text = '' } = await pool.read({ bytes: damaged, name, mediaType: undefined });
      slowest = Math.max(slowest, performance.now() - begun);
      expect(TEXT_STATUSES).toContain(status);
      expect(text.length).toBeLessThanOrEqual(TEXT_LIMITS.characters);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    // Starting a thread does not count as time of a file.
    expect(slowest).toBeLessThan(2 * TEXT_LIMITS.timeMs);
    expect(statuses.get('damaged')).toBeGreaterThan(50);
    expect(statuses.get('read')).toBeGreaterThan(50);
  });
});
