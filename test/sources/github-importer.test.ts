import { describe, expect, it } from 'vitest';
import { githubImporter } from '../../src/sources/github/github-importer.ts';
import { collect, makeInputFile, readInputFolder } from '../support/input-file.ts';

const read = (name: string) =>
  collect(githubImporter, readInputFolder(`test/sources/fixtures/github/${name}`));

describe('GitHub', () => {
  it('reads API responses, and marks what the owner wrote', async () => {
    const { records, problems, self } = await read('api');
    const counts = Object.fromEntries(Object.entries(records).map(([stream, all]) => [stream, all.length]));
    expect(counts).toEqual({ comments: 1, commits: 1, issues: 2, stars: 1, people: 1 });
    expect(self).toEqual(['ben']);
    expect(records.issues?.[0]).toMatchInlineSnapshot(`
      {
        "assignees": [
          "ann",
        ],
        "author": "ben",
        "body": "Always.",
        "comment_count": 1,
        "created_at": "2024-03-01T10:00:00Z",
        "id": "ann/tool#7",
        "is_mine": true,
        "is_pull_request": false,
        "labels": [
          "bug",
        ],
        "number": 7,
        "repository_id": "ann/tool",
        "state": "open",
        "title": "It fails",
        "updated_at": "2024-03-02T10:00:00Z",
        "url": "https://github.com/ann/tool/issues/7",
      }
    `);
    expect(records.issues?.[1]).toMatchObject({
      is_pull_request: true,
      is_mine: false,
      merged_at: '2024-03-03T10:00:00Z',
    });
    expect(records.comments?.[0]).toMatchObject({
      id: '9007199254740993',
      issue_id: 'ann/tool#7',
      is_mine: true,
    });
    expect(records.commits?.[0]).toMatchObject({
      title: 'fix: mend it',
      repository_id: 'ann/tool',
      author: 'ben',
    });
    expect(problems.map(({ path, place }) => [path, place])).toEqual([['starred.json', 'item 2']]);
  });

  it('reads an account archive, which refers to everything by URL', async () => {
    const { records, problems } = await read('archive');
    expect(records.repositories?.[0]).toMatchObject({ id: 'ann/tool', visibility: 'private', owner: 'ann' });
    expect(records.issues?.[0]).toMatchObject({
      id: 'ann/tool#7',
      repository_id: 'ann/tool',
      author: 'ben',
      labels: ['bug'],
      number: 7,
    });
    expect(problems).toEqual([]);
  });

  it('ignores JSON that only mentions GitHub', async () => {
    const file = makeInputFile('a.json', '[{"title":"x","url":"https://github.com/ann/tool"}]');
    expect(await githubImporter.recognise([file])).toEqual([]);
  });
});
