import { describe, expect, it, onTestFinished } from 'vitest';
import { TextBudget } from '../../src/attachments/text-budget.ts';
import { TextPool } from '../../src/attachments/text-pool.ts';

describe('the time for the files of one import', () => {
  it('is used up by slow files only, and files take ever less of it', () => {
    const budget = new TextBudget(100_000);
    for (let file = 0; file < 10_000; file++) budget.spend(1_500, 12_500);
    expect(budget.takeLimit()).toBe(12_500);
    let [total, files] = [0, 0];
    for (let limit = budget.takeLimit(); limit !== undefined; limit = budget.takeLimit()) {
      budget.spend(limit, limit);
      total += limit;
      files += 1;
    }
    expect(total).toBeLessThan(102_000);
    expect(files).toBeLessThan(120);
    expect(budget.describeUnread()).toBe(
      'The text of 1 attached file was not read, because other files took too long.',
    );
  });

  it('leaves a file without its text when nothing is left', async () => {
    const pool = new TextPool();
    onTestFinished(() => pool.close());
    const job = { bytes: Buffer.from('words'), name: 'a.txt', mediaType: undefined };
    expect(await pool.read(job, new TextBudget(0))).toEqual({ status: 'too_slow' });
    expect(await pool.read(job)).toMatchObject({ status: 'read', text: 'words' });
  });
});
