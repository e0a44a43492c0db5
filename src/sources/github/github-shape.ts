import { firstString, isObject, type JsonObject, objectOf, stringOf } from '../values/json.ts';

export type GithubKind =
  | 'star'
  | 'repository'
  | 'issue'
  | 'comment'
  | 'commit'
  | 'event'
  | 'release'
  | 'gist'
  | 'person';

/** Types of an archive that are imported; the others are settings. */
const ARCHIVED: Readonly<Record<string, GithubKind>> = {
  repository: 'repository',
  issue: 'issue',
  pull_request: 'issue',
  issue_comment: 'comment',
  commit_comment: 'comment',
  pull_request_review_comment: 'comment',
  pull_request_review: 'comment',
  release: 'release',
  user: 'person',
  organization: 'person',
};

/** Detects the type of a value by its specific fields. */
export function findKind(value: JsonObject): GithubKind | undefined {
  const has = (...names: string[]) => names.every((name) => value[name] !== undefined);
  if (has('starred_at') && (isObject(value.repo) || has('full_name'))) return 'star';
  if (has('sha') && isObject(value.commit)) return 'commit';
  if (isObject(value.actor) && isObject(value.repo) && has('payload')) return 'event';
  if (has('full_name') && (isObject(value.owner) || has('html_url', 'name'))) return 'repository';
  if (has('tag_name', 'assets')) return 'release';
  if (isObject(value.files) && has('git_pull_url')) return 'gist';
  if (has('number', 'title', 'user') && (has('repository_url') || has('base', 'head'))) return 'issue';
  if (has('body', 'user') && (has('issue_url') || has('pull_request_url'))) return 'comment';
  if (has('login', 'html_url') && (has('followers_url') || has('avatar_url'))) return 'person';
  const type = stringOf(value.type);
  return /^https:\/\/(\w+\.)*github\.com\/|^https:\/\/[^/]+\//.test(stringOf(value.url) ?? '')
    ? ARCHIVED[type ?? '']
    : undefined;
}

/** Finds `owner/name` in any URL of a repository, of the website or the API. */
export function findRepository(value: JsonObject): string | undefined {
  const own =
    firstString(value.full_name, value.nwo) ??
    firstString(objectOf(value.repo).full_name, objectOf(value.repo).name);
  if (own !== undefined) return own;
  const urlFields = ['html_url', 'repository_url', 'repository', 'issue_url', 'pull_request_url', 'url'];
  for (const name of urlFields) {
    const found = /^https:\/\/[^/]+\/(?:api\/v3\/)?(?:repos\/)?([\w.-]+\/[\w.-]+)/.exec(
      stringOf(value[name]) ?? '',
    );
    if (found?.[1] !== undefined) return found[1];
  }
  return undefined;
}

/** Returns `owner/name#12`. Issues and pull requests share their numbers. */
export function findIssue(value: JsonObject): string | undefined {
  const urlFields = ['html_url', 'issue_url', 'issue', 'pull_request_url', 'pull_request', 'url'];
  for (const name of urlFields) {
    const found = /([\w.-]+\/[\w.-]+)\/(?:issues|pulls?)\/(\d+)/.exec(stringOf(value[name]) ?? '');
    if (found !== null) return `${found[1]}#${found[2]}`;
  }
  return undefined;
}

/** Returns a login from an object or a profile URL. */
export function findLogin(value: unknown): string | undefined {
  if (isObject(value)) return firstString(value.login, value.name);
  return typeof value === 'string' ? value.replace(/\/$/, '').split('/').at(-1) : undefined;
}
