import {
  dropEmpty,
  firstText,
  flagOf,
  integerOf,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
  timeOf,
} from '../values/json.ts';
import { findIssue, findLogin, findRepository, type GithubKind } from './github-shape.ts';

interface GithubRecord {
  readonly stream: string;
  readonly data: Record<string, unknown>;
}

/** Converts a value to records. `self` is the owner's login, if known. */
type ReadGithub = (value: JsonObject, self: string | undefined) => GithubRecord[];

/** GitHub writes times with a zone. */
const timeAt = (value: JsonObject, ...names: string[]) =>
  timeOf(firstText(...names.map((name) => value[name])), { timeZone: 'UTC' });

/** Returns no record if a required field is missing. */
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
  const closed = textOf(value.closed_at);
  const milestone = value.milestone;
  return makeRecord('issues', ['id', 'repository_id', 'created_at'], {
    id: findIssue(value),
    repository_id: findRepository(value),
    number: integerOf(value.number) ?? Number(findIssue(value)?.split('#')[1]),
    title: textOf(value.title),
    body: textOf(value.body),
    state: textOf(value.state) === 'closed' || closed !== undefined ? 'closed' : 'open',
    author,
    labels: listOf(value.labels).map((label) => (isObject(label) ? textOf(label.name) : findLogin(label))),
    is_pull_request:
      isObject(value.pull_request) || value.base !== undefined || textOf(value.type) === 'pull_request',
    comment_count: integerOf(value.comments),
    created_at: timeAt(value, 'created_at'),
    closed_at: timeAt(value, 'closed_at'),
    updated_at: timeAt(value, 'updated_at'),
    merged_at: timeAt(value, 'merged_at') ?? timeAt(objectOf(value.pull_request), 'merged_at'),
    is_draft: flagOf(value.draft),
    is_mine: isMine(author, self),
    assignees: [...listOf(value.assignees)].map(findLogin).filter((login) => login !== undefined),
    milestone: isObject(milestone) ? textOf(milestone.title) : undefined,
    url: firstText(value.html_url, value.url),
  });
};

const readComment: ReadGithub = (value, self) => {
  const author = findLogin(value.user);
  const given = objectOf(value.reactions);
  return makeRecord('comments', ['id', 'issue_id', 'created_at'], {
    id: idOf(value) ?? textOf(value.url),
    issue_id: findIssue(value),
    author,
    body: textOf(value.body) ?? '',
    created_at: timeAt(value, 'created_at', 'submitted_at'),
    reactions: isObject(value.reactions)
      ? {
          thumbs_up: integerOf(given['+1']) ?? 0,
          heart: integerOf(given.heart) ?? 0,
          rocket: integerOf(given.rocket) ?? 0,
        }
      : undefined,
    updated_at: timeAt(value, 'updated_at'),
    is_mine: isMine(author, self),
    file: textOf(value.path),
    url: firstText(value.html_url, value.url),
  });
};

export const readGithub: Readonly<Record<GithubKind, ReadGithub>> = {
  issue: readIssue,
  comment: readComment,

  repository: (value) =>
    makeRecord('repositories', ['id', 'created_at'], {
      id: findRepository(value),
      name: textOf(value.name),
      description: textOf(value.description),
      language: textOf(value.language),
      visibility: textOf(value.visibility) ?? (flagOf(value.private) === true ? 'private' : 'public'),
      stars: integerOf(value.stargazers_count),
      topics: textsOf(listOf(value.topics)),
      created_at: timeAt(value, 'created_at'),
      owner: findLogin(value.owner),
      is_fork: flagOf(value.fork),
      is_archived: flagOf(value.archived),
      forks: integerOf(value.forks_count),
      open_issues: integerOf(value.open_issues_count),
      license: firstText(objectOf(value.license).spdx_id, objectOf(value.license).name),
      pushed_at: timeAt(value, 'pushed_at'),
      updated_at: timeAt(value, 'updated_at'),
      homepage: firstText(value.homepage, value.website),
      url: firstText(value.html_url, value.url),
    }),

  // A starred repository is not one of the owner's repositories.
  star: (value) => {
    const repository = isObject(value.repo) ? value.repo : value;
    const id = findRepository(repository);
    return makeRecord('stars', ['id'], {
      id,
      name: id,
      repository_id: id,
      description: textOf(repository.description),
      language: textOf(repository.language),
      topics: textsOf(listOf(repository.topics)),
      stars: integerOf(repository.stargazers_count),
      starred_at: timeAt(value, 'starred_at'),
      url: textOf(repository.html_url),
    });
  },

  commit: (value, self) => {
    const commit = objectOf(value.commit);
    const written = objectOf(commit.author);
    const login = findLogin(value.author);
    const message = textOf(commit.message);
    return makeRecord('commits', ['id'], {
      id: textOf(value.sha),
      repository_id: findRepository(value),
      title: message?.split('\n')[0]?.trim(),
      message,
      author: login ?? textOf(written.name),
      author_email: textOf(written.email),
      committed_at: timeAt(written, 'date') ?? timeAt(objectOf(commit.committer), 'date'),
      is_mine: isMine(login, self),
      url: textOf(value.html_url),
    });
  },

  event: (value) =>
    makeRecord('events', ['id', 'created_at'], {
      id: idOf(value),
      type: textOf(value.type),
      repository_id: findRepository(value),
      author: findLogin(value.actor),
      action: firstText(...['action', 'ref_type', 'ref'].map((name) => objectOf(value.payload)[name])),
      created_at: timeAt(value, 'created_at'),
    }),

  release: (value) =>
    makeRecord('releases', ['id'], {
      id: idOf(value) ?? textOf(value.url),
      repository_id: findRepository(value),
      name: firstText(value.name, value.tag_name),
      tag: textOf(value.tag_name),
      body: textOf(value.body),
      author: findLogin(value.author ?? value.user),
      published_at: timeAt(value, 'published_at', 'created_at'),
      url: firstText(value.html_url, value.url),
    }),

  gist: (value) => {
    const files = Object.keys(objectOf(value.files));
    return makeRecord('gists', ['id', 'created_at'], {
      id: idOf(value),
      title: textOf(value.description) ?? files[0],
      files,
      is_public: flagOf(value.public),
      created_at: timeAt(value, 'created_at'),
      updated_at: timeAt(value, 'updated_at'),
      url: textOf(value.html_url),
    });
  },

  person: (value) =>
    makeRecord('people', ['id'], {
      id: textOf(value.login),
      name: firstText(value.name, value.login),
      bio: textOf(value.bio),
      company: textOf(value.company),
      location: textOf(value.location),
      website: firstText(value.blog, value.website),
      url: firstText(value.html_url, value.url),
    }),
};
