import { readTime } from '../../import/read/read-time.ts';
import { dropEmpty } from '../values/drop-empty.ts';
import {
  flagAt,
  integerAt,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
} from '../values/json-shape.ts';
import { findIssue, findLogin, findRepository, type GithubKind } from './github-shape.ts';

interface GithubRecord {
  readonly stream: string;
  readonly data: Record<string, unknown>;
}

/** Makes records of a value; `self` is the login of the owner, where it is known. */
type ReadGithub = (value: JsonObject, self: string | undefined) => GithubRecord[];

/** GitHub writes its times with a zone. */
const timeAt = (value: JsonObject, ...names: string[]) =>
  readTime(textAt(value, ...names) ?? '', { timeZone: 'UTC' });

/** A record only if it has all that its stream needs. */
function makeRecord(
  stream: string,
  required: readonly string[],
  data: Record<string, unknown>,
): GithubRecord[] {
  const plain = dropEmpty(data);
  return required.every((name) => plain[name] !== undefined) ? [{ stream, data: plain }] : [];
}

const isMine = (login: string | undefined, self: string | undefined) =>
  self === undefined ? undefined : login === self;

const idOf = (value: JsonObject) => (value.id === undefined ? undefined : String(value.id));
const textsOf = (values: readonly unknown[]) => values.filter((one) => typeof one === 'string');

const readIssue: ReadGithub = (value, self) => {
  const author = findLogin(value.user);
  const closed = textAt(value, 'closed_at');
  const milestone = value.milestone;
  return makeRecord('issues', ['id', 'repository_id', 'created_at'], {
    id: findIssue(value),
    repository_id: findRepository(value),
    number: integerAt(value, 'number') ?? Number(findIssue(value)?.split('#')[1]),
    title: textAt(value, 'title'),
    body: textAt(value, 'body'),
    state: textAt(value, 'state') === 'closed' || closed !== undefined ? 'closed' : 'open',
    author,
    labels: listAt(value, 'labels').map((label) =>
      isObject(label) ? textAt(label, 'name') : findLogin(label),
    ),
    is_pull_request:
      isObject(value.pull_request) || value.base !== undefined || textAt(value, 'type') === 'pull_request',
    comment_count: integerAt(value, 'comments'),
    created_at: timeAt(value, 'created_at'),
    closed_at: timeAt(value, 'closed_at'),
    updated_at: timeAt(value, 'updated_at'),
    merged_at: timeAt(value, 'merged_at') ?? timeAt(objectAt(value, 'pull_request'), 'merged_at'),
    is_draft: flagAt(value, 'draft'),
    is_mine: isMine(author, self),
    assignees: [...listAt(value, 'assignees')].map(findLogin).filter((login) => login !== undefined),
    milestone: isObject(milestone) ? textAt(milestone, 'title') : undefined,
    url: textAt(value, 'html_url', 'url'),
  });
};

const readComment: ReadGithub = (value, self) => {
  const author = findLogin(value.user);
  const given = objectAt(value, 'reactions');
  return makeRecord('comments', ['id', 'issue_id', 'created_at'], {
    id: idOf(value) ?? textAt(value, 'url'),
    issue_id: findIssue(value),
    author,
    body: textAt(value, 'body') ?? '',
    created_at: timeAt(value, 'created_at', 'submitted_at'),
    reactions: isObject(value.reactions)
      ? {
          thumbs_up: integerAt(given, '+1') ?? 0,
          heart: integerAt(given, 'heart') ?? 0,
          rocket: integerAt(given, 'rocket') ?? 0,
        }
      : undefined,
    updated_at: timeAt(value, 'updated_at'),
    is_mine: isMine(author, self),
    file: textAt(value, 'path'),
    url: textAt(value, 'html_url', 'url'),
  });
};

export const readGithub: Readonly<Record<GithubKind, ReadGithub>> = {
  issue: readIssue,
  comment: readComment,

  repository: (value) =>
    makeRecord('repositories', ['id', 'created_at'], {
      id: findRepository(value),
      name: textAt(value, 'name'),
      description: textAt(value, 'description'),
      language: textAt(value, 'language'),
      visibility: textAt(value, 'visibility') ?? (flagAt(value, 'private') === true ? 'private' : 'public'),
      stars: integerAt(value, 'stargazers_count'),
      topics: textsOf(listAt(value, 'topics')),
      created_at: timeAt(value, 'created_at'),
      owner: findLogin(value.owner),
      is_fork: flagAt(value, 'fork'),
      is_archived: flagAt(value, 'archived'),
      forks: integerAt(value, 'forks_count'),
      open_issues: integerAt(value, 'open_issues_count'),
      license: textAt(objectAt(value, 'license'), 'spdx_id', 'name'),
      pushed_at: timeAt(value, 'pushed_at'),
      updated_at: timeAt(value, 'updated_at'),
      homepage: textAt(value, 'homepage', 'website'),
      url: textAt(value, 'html_url', 'url'),
    }),

  // A repository of somebody else's is not among the owner's own: the star tells what it is.
  star: (value) => {
    const repository = isObject(value.repo) ? value.repo : value;
    const id = findRepository(repository);
    return makeRecord('stars', ['id'], {
      id,
      name: id,
      repository_id: id,
      description: textAt(repository, 'description'),
      language: textAt(repository, 'language'),
      topics: textsOf(listAt(repository, 'topics')),
      stars: integerAt(repository, 'stargazers_count'),
      starred_at: timeAt(value, 'starred_at'),
      url: textAt(repository, 'html_url'),
    });
  },

  commit: (value, self) => {
    const commit = objectAt(value, 'commit');
    const written = objectAt(commit, 'author');
    const login = findLogin(value.author);
    const message = textAt(commit, 'message');
    return makeRecord('commits', ['id'], {
      id: textAt(value, 'sha'),
      repository_id: findRepository(value),
      title: message?.split('\n')[0]?.trim(),
      message,
      author: login ?? textAt(written, 'name'),
      author_email: textAt(written, 'email'),
      committed_at: timeAt(written, 'date') ?? timeAt(objectAt(commit, 'committer'), 'date'),
      is_mine: isMine(login, self),
      url: textAt(value, 'html_url'),
    });
  },

  event: (value) =>
    makeRecord('events', ['id', 'created_at'], {
      id: idOf(value),
      type: textAt(value, 'type'),
      repository_id: findRepository(value),
      author: findLogin(value.actor),
      action: textAt(objectAt(value, 'payload'), 'action', 'ref_type', 'ref'),
      created_at: timeAt(value, 'created_at'),
    }),

  release: (value) =>
    makeRecord('releases', ['id'], {
      id: idOf(value) ?? textAt(value, 'url'),
      repository_id: findRepository(value),
      name: textAt(value, 'name', 'tag_name'),
      tag: textAt(value, 'tag_name'),
      body: textAt(value, 'body'),
      author: findLogin(value.author ?? value.user),
      published_at: timeAt(value, 'published_at', 'created_at'),
      url: textAt(value, 'html_url', 'url'),
    }),

  gist: (value) => {
    const files = Object.keys(objectAt(value, 'files'));
    return makeRecord('gists', ['id', 'created_at'], {
      id: idOf(value),
      title: textAt(value, 'description') ?? files[0],
      files,
      is_public: flagAt(value, 'public'),
      created_at: timeAt(value, 'created_at'),
      updated_at: timeAt(value, 'updated_at'),
      url: textAt(value, 'html_url'),
    });
  },

  person: (value) =>
    makeRecord('people', ['id'], {
      id: textAt(value, 'login'),
      name: textAt(value, 'name', 'login'),
      bio: textAt(value, 'bio'),
      company: textAt(value, 'company'),
      location: textAt(value, 'location'),
      website: textAt(value, 'blog', 'website'),
      url: textAt(value, 'html_url', 'url'),
    }),
};
