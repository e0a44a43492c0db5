import { readHtmlText } from '../../import/read/html-text.ts';
import {
  firstText,
  flagOf,
  integerOf,
  type JsonObject,
  listOf,
  objectOf,
  someOf,
  textOf,
  timeOf,
} from '../values/json.ts';

/**
 * Returns `anna@mastodon.example` for `https://mastodon.example/users/anna` and
 * `https://mastodon.example/@anna/1`.
 */
export function readHandle(address: unknown): string | undefined {
  const [, host, name] =
    /^https?:\/\/([^/]+)\/(?:users\/|@|u\/|profile\/)([\w.-]+)/.exec(textOf(address) ?? '') ?? [];
  return host === undefined || name === undefined ? undefined : `${name}@${host}`;
}

const PUBLIC = /(?:^|#|:)Public$/;
const isPublic = (addresses: unknown) =>
  [addresses, ...listOf(addresses)].some((one) => typeof one === 'string' && PUBLIC.test(one));
const readTime = (value: unknown) => timeOf(value, { timeZone: 'UTC' });
const addressOf = (value: unknown) => firstText(value, objectOf(value).id, objectOf(value).url);
const textOfHtml = (value: unknown) => textOf(readHtmlText(textOf(value) ?? ''));

/** Finds the visibility from the recipients: public, unlisted, followers, or the people mentioned. */
function findVisibility({ to, cc }: JsonObject): 'public' | 'unlisted' | 'followers' | 'direct' {
  if (isPublic(to)) return 'public';
  if (isPublic(cc)) return 'unlisted';
  const all = [to, cc].flatMap((one) => (Array.isArray(one) ? one : [one]));
  return all.some((one) => /\/followers(?:\/|$)/.test(textOf(one) ?? '')) ? 'followers' : 'direct';
}

/** Converts an activity of the outbox; undefined for other types. */
export function readActivity(activity: JsonObject): { stream: string; data: JsonObject } | undefined {
  const type = textOf(activity.type);
  if (type === 'Create' || type === 'Update') {
    const note = objectOf(activity.object);
    const visibility = findVisibility(note.to === undefined && note.cc === undefined ? activity : note);
    const data = readNote(note, activity);
    return visibility === 'direct'
      ? { stream: 'direct_messages', data }
      : {
          stream: 'posts',
          data: {
            ...data,
            visibility,
            like_count: integerOf(objectOf(note.likes).totalItems),
            boost_count: integerOf(objectOf(note.shares).totalItems),
          },
        };
  }
  if (type !== 'Announce') return undefined;
  const url = addressOf(activity.object);
  return {
    stream: 'boosts',
    data: {
      id: textOf(activity.id) ?? url,
      url,
      author: readHandle(url),
      created_at: readTime(activity.published),
    },
  };
}

function readNote(note: JsonObject, activity: JsonObject): JsonObject {
  const tags = listOf(note.tag).map(objectOf);
  const named = (type: string) =>
    someOf(tags.filter((tag) => tag.type === type).map((tag) => textOf(tag.name)));
  const media = listOf(note.attachment).map(objectOf);
  const replyTo = addressOf(note.inReplyTo);
  const [language] = Object.keys(objectOf(note.contentMap));
  return {
    id: firstText(note.id, activity.object, activity.id),
    text: textOfHtml(note.content) ?? textOf(note.name),
    content_warning: textOf(note.summary),
    created_at: readTime(note.published) ?? readTime(activity.published),
    edited_at: readTime(note.updated),
    language,
    reply_to_id: replyTo,
    is_reply: replyTo !== undefined,
    is_sensitive: flagOf(note.sensitive),
    hashtags: named('Hashtag')?.map((name) => name.replace(/^#/, '')),
    mentions: someOf(tags.filter((tag) => tag.type === 'Mention').map(readMention)),
    media: someOf(media.map((one) => firstText(one.url, one.href))),
    media_descriptions: someOf(media.map((one) => firstText(one.name, one.summary))),
    poll_options: readOptions(note),
    url: firstText(note.url, note.id),
  };
}

/** People of the same server are named without it. */
function readMention({ name, href }: JsonObject): string | undefined {
  const handle = textOf(name)?.replace(/^@/, '');
  return handle?.includes('@') ? handle : (readHandle(href) ?? handle);
}

/** Returns the votes for each option of a poll: `Tea (3)`. */
function readOptions(note: JsonObject): string[] | undefined {
  const options = [...listOf(note.oneOf), ...listOf(note.anyOf)].map(objectOf);
  return someOf(
    options.map(({ name, replies }) => {
      const [label, votes] = [textOf(name), integerOf(objectOf(replies).totalItems)];
      return label === undefined || votes === undefined ? label : `${label} (${votes})`;
    }),
  );
}

export function readLikeOrBookmark(kind: 'like' | 'bookmark', item: unknown): JsonObject | undefined {
  const url = addressOf(item);
  return url === undefined ? undefined : { kind, url, author: readHandle(url) };
}

export function readActor(actor: JsonObject): JsonObject {
  const fields = listOf(actor.attachment).map(objectOf);
  const handle = readHandle(actor.id) ?? readHandle(actor.url) ?? textOf(actor.preferredUsername);
  return {
    id: textOf(actor.id) ?? handle,
    handle,
    name: textOf(actor.name),
    text: textOfHtml(actor.summary),
    fields: someOf(fields.map(({ name, value }) => someOf([textOf(name), textOfHtml(value)])?.join(': '))),
    moved_to: addressOf(actor.movedTo),
    url: textOf(actor.url),
    created_at: readTime(actor.published),
  };
}
