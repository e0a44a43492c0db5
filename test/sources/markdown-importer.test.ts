import { describe, expect, it } from 'vitest';
import { splitNote } from '../../src/sources/markdown/front-matter.ts';
import { markdownImporter } from '../../src/sources/markdown/markdown-importer.ts';
import { collect, makeInputFile, readInputFolder } from '../support/input-file.ts';

const read = () => collect(markdownImporter, readInputFolder('test/sources/fixtures/markdown/vault'));

describe('Markdown notes', () => {
  it('reads the notes of a vault under the name of its folder', async () => {
    const { recognised, records, problems } = await read();
    expect(recognised.map(({ account, files }) => [account, files.length])).toEqual([['Vault', 3]]);
    expect(records.notes?.map(({ id, title }) => [id, title])).toEqual([
      ['Books/Emma.md', 'Emma'],
      ['Broken.md', 'Broken'],
      ['Daily/2024-03-01.md', '2024-03-01'],
    ]);
    expect(records.notes?.[0]).toMatchInlineSnapshot(`
      {
        "aliases": [
          "Miss Woodhouse",
        ],
        "body": "# Emma

      Back to [Daily](../Daily/2024-03-01.md). #100 is no tag.
      ",
        "created_at": "2024-02-03T09:00:00Z",
        "folder": "Books",
        "id": "Books/Emma.md",
        "properties": {
          "aliases": [
            "Miss Woodhouse",
          ],
          "created": "2024-02-03 10:00",
          "rating": 5,
          "tags": [
            "novel",
            "classics",
          ],
          "title": "Emma",
        },
        "tags": [
          "novel",
          "classics",
        ],
        "title": "Emma",
        "word_count": 11,
      }
    `);
    expect(problems).toEqual([
      {
        path: 'Vault/Broken.md',
        place: undefined,
        reason: 'has invalid YAML front matter; it was imported as text',
      },
    ]);
    expect(records.notes?.[1]?.body).toContain('Text all the same');
  });

  it('finds tags, links and tasks, but none in code', async () => {
    const { records } = await read();
    expect(records.notes?.[2]).toMatchObject({
      tags: ['work/planning', 'money'],
      created_at: '2024-02-29T23:00:00Z',
    });
    expect(
      records.links?.map(({ note_id, target, target_id, label, kind }) => [
        note_id,
        target,
        target_id,
        label,
        kind,
      ]),
    ).toEqual([
      ['Books/Emma.md', '../Daily/2024-03-01.md', 'Daily/2024-03-01.md', 'Daily', 'note'],
      ['Daily/2024-03-01.md', 'Anna', undefined, 'A.', 'note'],
      ['Daily/2024-03-01.md', 'Emma', 'Books/Emma.md', undefined, 'note'],
      ['Daily/2024-03-01.md', 'chart.png', undefined, undefined, 'embed'],
      ['Daily/2024-03-01.md', 'https://example.org/a_(b)', undefined, 'the page', 'web'],
    ]);
    expect(records.tasks?.map(({ title, is_done, due_on }) => [title, is_done, due_on])).toEqual([
      ['call the bank 📅 2024-03-05 #money', false, '2024-03-05'],
      ['water plants', true, undefined],
    ]);
  });

  it('recognises a note without extension by its content', async () => {
    const { records } = await collect(markdownImporter, [
      makeInputFile('note', '---\ntitle: Renamed\ndate: 2024-01-02\n---\nText\n'),
      makeInputFile('other.txt', 'plain words\n'),
    ]);
    expect(records.notes?.map(({ title, created_at }) => [title, created_at])).toEqual([
      ['Renamed', '2024-01-01T23:00:00Z'],
    ]);
  });

  it('refuses YAML with alias bombs or code', () => {
    const bomb = `---\na: &a [x,x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*a,*a,*a,*a,*a,*a,*a,*a,*a]`).join('\n')}\n---\n`;
    expect(splitNote(bomb).broken).toBe(true);
    for (const deep of ['[', '{a: ', '- '])
      expect(splitNote(`---\nx:\n  ${deep.repeat(9_000)}\n---\n`).broken).toBe(true);
    expect(splitNote('---\nx: !!js/function "() => 1"\n---\n').properties.x).not.toBeTypeOf('function');
  });
});
