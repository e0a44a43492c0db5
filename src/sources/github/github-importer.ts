import type { Importer, ImportItem, InputFile, Recognised } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { isObject, type JsonObject, stringOf } from '../values/json.ts';
import { githubDeclaration } from './github-declaration.ts';
import { readGithub } from './github-records.ts';
import { findKind } from './github-shape.ts';

export const githubImporter: Importer = {
  format: 'github',
  title: 'GitHub',
  fillsArchive: true,
  guide: {
    steps: [
      'Open github.com/settings/admin and under Export account data choose Start export.',
      'Download the archive from the link in the email you receive.',
      'Or save responses of the API, for example: gh api --paginate user/starred -H "Accept: application/vnd.github.star+json" > starred.json',
    ],
    waiting: 'Minutes to hours.',
  },
  recognise: (files) => recogniseFiles(files, async (file) => await isGithub(file)),
  declare: async () => githubDeclaration,
  read,
};

/** Starred repositories in the short form contain no URLs, so this field identifies them. */
const STARS = /"starred_at"\s*:\s*"\d{4}-/;
const GITHUB_URL = /"https:\/\/(api\.)?github\.com\/|"https:\/\/[^"/]+\/api\/v3\//;
const GITHUB_FIELD =
  /"(starred_at|stargazers_count|repository_url|forks_url|issue_url|pull_request_url|git_pull_url|followers_url|tag_name|comments_url|node_id)"\s*:/;
const ARCHIVE_TYPE =
  /"type"\s*:\s*"(repository|issue|pull_request|issue_comment|pull_request_review|pull_request_review_comment|commit_comment|release|user|organization)"/;

async function isGithub(file: InputFile): Promise<boolean> {
  const head = await peekText(file);
  if (!/^\s*[[{]/.test(head)) return false;
  if (STARS.test(head) && /"full_name"\s*:/.test(head)) return true;
  if (!GITHUB_URL.test(head)) return false;
  const isEvent = /"actor"\s*:/.test(head) && /"payload"\s*:/.test(head);
  const isArchive = ARCHIVE_TYPE.test(head) && /"url"\s*:\s*"https:\/\/github\.com\//.test(head);
  return GITHUB_FIELD.test(head) || isEvent || isArchive;
}

/** Returns the JSON path of the items: of a list, of search results, or of a single object. */
async function findPath(file: InputFile): Promise<string> {
  const head = await peekText(file);
  if (/^\s*\[/.test(head)) return '*';
  return /^\s*\{[^{[]*"(?:total_count|incomplete_results)"/.test(head) && /"items"\s*:/.test(head)
    ? 'items.*'
    : '';
}

async function* read({ files }: Recognised): AsyncGenerator<ImportItem> {
  const self = await findSelf(files);
  if (self !== undefined) yield { kind: 'self', value: self };
  for (const file of files) {
    let count = 0;
    yield* readEach(file, readJsonElements(file, [await findPath(file)]), function* (element) {
      count += 1;
      const place = `item ${count}`;
      const { value } = element;
      const kind = isObject(value) ? findKind(value) : undefined;
      const records = kind === undefined ? [] : readGithub[kind](value as JsonObject, self);
      if (records.length === 0) yield makeProblem(file, 'has an unknown type, or no name or time', place);
      for (const { stream, data } of records) yield makeRecord(file, stream, data, place);
    });
  }
}

/** Finds the owner's login. Only an account's owner can see its plan and the number of its private gists. */
async function findSelf(files: readonly InputFile[]): Promise<string | undefined> {
  for (const file of files) {
    const head = await peekText(file);
    if (!/^\s*\{/.test(head) || !/"(private_gists|two_factor_authentication|plan)"\s*:/.test(head)) continue;
    for await (const element of readJsonElements(file, ['']))
      if (element.kind === 'element' && isObject(element.value)) return stringOf(element.value.login);
  }
  return undefined;
}
