import {
  dropEmpty,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  roundedOf,
  stringOf,
  textOf,
  textsOf,
} from '../values/json.ts';
import { createJsonFieldReader, findIn } from '../values/read-fields.ts';
import { githubDeclaration } from './github-declaration.ts';
import { findIssue, findLogin, findRepository, type GithubKind } from './github-shape.ts';

interface GithubRecord {
  readonly stream: string;
  readonly data: JsonObject;
}

/** Converts a value to records. `self` is the owner's login, if known. */
type ReadGithub = (value: JsonObject, self: string | undefined) => GithubRecord[];

const streams = new Map(
  githubDeclaration.streams.map(({ name, schema }) => [
    name,
    { read: createJsonFieldReader(githubDeclaration, name), required: textsOf(schema.required) ?? [] },
  ]),
);

/** Adds the declared columns of `value` to the data. Returns no record if a required field is missing. */
function makeRecord(stream: string, value: JsonObject, data: JsonObject): GithubRecord[] {
  const { read, required = [] } = streams.get(stream) ?? {};
  // Numbers are accepted as ids only.
  const find = findIn({ ...value, id: textOf(value.id) });
  const whole = dropEmpty({ ...read?.(find), ...data });
  return required.every((name) => whole[name] !== undefined) ? [{ stream, data: whole }] : [];
}

const isMine = (login: string | undefined, self: string | undefined) =>
  self === undefined ? undefined : login === self;

const readIssue: ReadGithub = (value, self) => {
  const author = findLogin(value.user);
  const isClosed = value.state === 'closed' || stringOf(value.closed_at) !== undefined;
  return makeRecord('issues', value, {
    id: findIssue(value),
    repository_id: findRepository(value),
    number: roundedOf(value.number) ?? Number(findIssue(value)?.split('#')[1]),
    state: isClosed ? 'closed' : 'open',
    author,
    labels: listOf(value.labels).map((label) => (isObject(label) ? stringOf(label.name) : findLogin(label))),
    is_pull_request:
      isObject(value.pull_request) || value.base !== undefined || value.type === 'pull_request',
    is_mine: isMine(author, self),
    assignees: listOf(value.assignees)
      .map(findLogin)
      .filter((login) => login !== undefined),
  });
};

const readComment: ReadGithub = (value, self) => {
  const author = findLogin(value.user);
  const given = objectOf(value.reactions);
  return makeRecord('comments', value, {
    issue_id: findIssue(value),
    author,
    reactions: isObject(value.reactions)
      ? {
          thumbs_up: roundedOf(given['+1']) ?? 0,
          heart: roundedOf(given.heart) ?? 0,
          rocket: roundedOf(given.rocket) ?? 0,
        }
      : undefined,
    is_mine: isMine(author, self),
  });
};

export const readGithub: Readonly<Record<GithubKind, ReadGithub>> = {
  issue: readIssue,
  comment: readComment,

  repository: (value) =>
    makeRecord('repositories', value, {
      id: findRepository(value),
      visibility: stringOf(value.visibility) ?? (value.private === true ? 'private' : 'public'),
      owner: findLogin(value.owner),
    }),

  // A starred repository is not one of the owner's repositories.
  star: (value) => {
    const repository = isObject(value.repo) ? value.repo : value;
    const id = findRepository(repository);
    return makeRecord(
      'stars',
      { ...repository, starred_at: value.starred_at },
      { id, name: id, repository_id: id },
    );
  },

  commit: (value, self) => {
    const login = findLogin(value.author);
    const { author, message } = objectOf(value.commit);
    return makeRecord('commits', value, {
      repository_id: findRepository(value),
      title: stringOf(message)?.split('\n')[0]?.trim(),
      author: login ?? stringOf(objectOf(author).name),
      is_mine: isMine(login, self),
    });
  },

  event: (value) =>
    makeRecord('events', value, { repository_id: findRepository(value), author: findLogin(value.actor) }),

  release: (value) =>
    makeRecord('releases', value, {
      repository_id: findRepository(value),
      author: findLogin(value.author ?? value.user),
    }),

  gist: (value) => {
    const files = Object.keys(objectOf(value.files));
    return makeRecord('gists', value, { title: stringOf(value.description) ?? files[0], files });
  },

  person: (value) => makeRecord('people', value, {}),
};
