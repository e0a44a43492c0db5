import { flagAt, integerAt, isObject, listAt, objectAt, textAt } from '../values/json-shape.ts';
import { idOf, isMine, makeRecord, type ReadGithub, timeAt } from './github-record.ts';
import { findIssue, findLogin, findRepository } from './github-shape.ts';

export const readIssue: ReadGithub = (value, self) => {
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

export const readComment: ReadGithub = (value, self) => {
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
