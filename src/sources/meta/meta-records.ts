import { readEpoch } from '../../import/read/read-time.ts';
import { firstText, type JsonObject, listOf, objectOf, someOf, textOf } from '../values/json.ts';

export interface MetaRecord {
  readonly stream: string;
  readonly data: JsonObject;
}

/** Names of lists, or words of the path for a bare list. */
const POSTS =
  /(^|\/)(your_)?((?:group_)?posts|text_post_app_text_posts|ig_stories|ig_reels_media|ig_other_media|stories|reels|profile_photos|archived_posts|ig_archived_post_media)/;
const PEOPLE: readonly (readonly [RegExp, string])[] = [
  [/friends(_v2)?$|your_friends/, 'friend'],
  [/following/, 'following'],
  [/followers/, 'follower'],
  [/blocked/, 'blocked'],
  [/relationships_/, 'other'],
];

/** Converts an item of a list. `name` is that of the list or the file. */
export function readMetaItem(item: JsonObject, name: string): MetaRecord[] {
  const listName = isMetaList(name) ? name : guessList(item);
  if (item.label_values !== undefined) return readLabelled(item, listName);
  const map = objectOf(item.string_map_data);
  const list = listOf(item.string_list_data).map(objectOf);
  if (/comment/.test(listName) && !/likes?_comment|liked_comment/.test(listName))
    return readComment(item, map);
  if (/search/.test(listName)) return readSearch(item, map);
  if (/saved/.test(listName)) return readLike(item, [...list, ...Object.values(map).map(objectOf)], 'save');
  if (/likes?_|liked|reaction/.test(listName)) return readLike(item, list, 'like');
  const kind = PEOPLE.find(([pattern]) => pattern.test(listName))?.[1];
  if (kind !== undefined) return readPeople(item, list, kind);
  return readPost(item, listName);
}

/** Converts an item of the newest exports, which have labels and values. */
function readLabelled(item: JsonObject, listName: string): MetaRecord[] {
  const { text, url, owner, reaction } = readMetaLabels(item);
  const created_at = readEpoch(item.timestamp, 's');
  if (/comment/.test(listName) && !/likes?_comment|liked_comment/.test(listName))
    return [{ stream: 'comments', data: { text, owner, created_at } }];
  if (/search/.test(listName))
    return text === undefined ? [] : [{ stream: 'searches', data: { query: text, created_at } }];
  const person = PEOPLE.find(([pattern]) => pattern.test(listName))?.[1];
  if (person !== undefined) {
    const name = owner ?? text;
    return [
      { stream: 'people', data: { id: name && `${person}/${name}`, kind: person, name, url, created_at } },
    ];
  }
  if (/saved|likes?_|liked|reaction/.test(listName)) {
    const kind = /saved/.test(listName) ? 'save' : 'like';
    return [{ stream: 'likes', data: { kind, owner, title: text, reaction, url, created_at } }];
  }
  const [post] = readPost({ ...item, title: text }, listName);
  return post === undefined
    ? []
    : [{ stream: 'posts', data: { ...post.data, text, title: undefined, created_at } }];
}

/** Lists of what was shown to the owner, not of what the owner did. */
const SHOWN_TO_OWNER = /viewed|watched|seen|not_interested|impressions|suggest/;

export const isMetaList = (listName: string): boolean =>
  !SHOWN_TO_OWNER.test(listName) && isActionList(listName);

const isActionList = (listName: string): boolean =>
  /comment|search|saved|likes?_|liked|reaction|relationships_/.test(listName) ||
  POSTS.test(listName) ||
  PEOPLE.some(([pattern]) => pattern.test(listName));

/** Guesses the list from an item, for a renamed file. */
function guessList(item: JsonObject): string {
  const entries = listOf(item.data).map(objectOf);
  if (item.label_values !== undefined) return 'liked';
  if (item.string_map_data !== undefined || entries.some(({ comment }) => comment !== undefined))
    return 'comments';
  if (entries.some(({ reaction }) => reaction !== undefined)) return 'reactions';
  return item.string_list_data === undefined ? 'posts' : 'relationships_';
}

function readPost(item: JsonObject, listName: string): MetaRecord[] {
  // Facebook's title says what was done; Instagram's title is the caption, and a picture may be alone.
  const isInstagram = item.timestamp === undefined;
  const media = item.media === undefined ? (isInstagram ? [item] : []) : listOf(item.media).map(objectOf);
  const attached = listOf(item.attachments).flatMap((one) => listOf(objectOf(one).data).map(objectOf));
  const texts = [...listOf(item.data).map((one) => objectOf(one).post), ...media.map((one) => one.title)];
  const text = someOf([
    ...new Set([
      isInstagram ? textOf(item.title) : undefined,
      ...texts.map(textOf),
      ...attached.map((one) => textOf(objectOf(one.media).description)),
    ]),
  ]);
  const paths = [...media, ...attached.map((one) => objectOf(one.media))].map((one) => textOf(one.uri));
  const data = {
    kind: /stor(y|ies)/.test(listName) ? 'story' : /reel/.test(listName) ? 'reel' : 'post',
    text: text?.join('\n'),
    title: isInstagram ? undefined : textOf(item.title),
    created_at: readEpoch(item.creation_timestamp ?? item.timestamp ?? media[0]?.creation_timestamp, 's'),
    media: someOf(paths),
    links: someOf(attached.map((one) => textOf(objectOf(one.external_context).url))),
    place: attached.map((one) => textOf(objectOf(one.place).name)).find((name) => name !== undefined),
  };
  return data.text === undefined && data.media === undefined && data.created_at === undefined
    ? []
    : [{ stream: 'posts', data }];
}

/** Reads a comment. Labels are in the account's language, so the longest value is taken as its text. */
function readComment(item: JsonObject, map: JsonObject): MetaRecord[] {
  const entries = Object.entries(map).map(([label, value]) => [label, objectOf(value)] as const);
  const comment = objectOf(
    listOf(item.data)
      .map((one) => objectOf(objectOf(one).comment))
      .find((one) => one.comment !== undefined),
  );
  const bare = listOf(item.string_list_data).map(objectOf)[0];
  const owner = entries.find(([label]) => /owner|eigentümer|propriet|propriét|dueño/i.test(label))?.[1].value;
  const values = entries
    .map(([, { value }]) => textOf(value))
    .filter((value) => value !== undefined && value !== textOf(owner));
  const time = entries.map(([, { timestamp }]) => timestamp).find((one) => one !== undefined && one !== 0);
  const data = {
    text:
      textOf(comment.comment) ??
      textOf(objectOf(map.Comment).value) ??
      values.sort((a, b) => (b?.length ?? 0) - (a?.length ?? 0))[0] ??
      textOf(bare?.value),
    owner: firstText(owner, comment.author),
    title: textOf(item.title),
    created_at: readEpoch(item.timestamp ?? comment.timestamp ?? time ?? bare?.timestamp, 's'),
  };
  return data.text === undefined && data.created_at === undefined ? [] : [{ stream: 'comments', data }];
}

function readLike(item: JsonObject, list: readonly JsonObject[], kind: 'like' | 'save'): MetaRecord[] {
  const reaction = listOf(item.data)
    .map((one) => objectOf(objectOf(one).reaction))
    .find((one) => one.reaction !== undefined);
  const shown = list.filter(({ timestamp, href }) => timestamp !== undefined || href !== undefined);
  return (shown.length > 0 ? shown : [{}]).map(({ href, timestamp, value }) => {
    const isReaction = item.timestamp !== undefined;
    const data = {
      kind,
      owner: isReaction ? undefined : textOf(item.title),
      title: isReaction ? textOf(item.title) : undefined,
      reaction: textOf(reaction?.reaction) ?? (kind === 'like' ? textOf(value) : undefined),
      url: textOf(href),
      created_at: readEpoch(timestamp ?? item.timestamp, 's'),
    };
    return { stream: 'likes', data };
  });
}

function readPeople(item: JsonObject, list: readonly JsonObject[], kind: string): MetaRecord[] {
  return (list.length > 0 ? list : [{}]).map(({ href, value, timestamp }) => {
    const name = firstText(value, item.title, item.name);
    const since = readEpoch(timestamp ?? item.timestamp, 's');
    return {
      stream: 'people',
      data: {
        id: name === undefined ? undefined : `${kind}/${name}`,
        kind,
        name,
        url: textOf(href),
        created_at: since,
      },
    };
  });
}

function readSearch(item: JsonObject, map: JsonObject): MetaRecord[] {
  const values = Object.values(map).map(objectOf);
  const texts = values.map(({ value }) => textOf(value)).find((value) => value !== undefined);
  const time = values.map(({ timestamp }) => timestamp).find((one) => one !== undefined && one !== 0);
  const typed = listOf(item.data)
    .map((one) => textOf(objectOf(one).text))
    .find((text) => text !== undefined);
  const query = texts ?? typed ?? textOf(item.title);
  return query === undefined
    ? []
    : [{ stream: 'searches', data: { query, created_at: readEpoch(time ?? item.timestamp, 's') } }];
}

/** Items of the newest exports: labels with values, in the account's language. */
interface MetaLabels {
  /** The longest value that is not a URL: a caption or comment. */
  readonly text: string | undefined;
  readonly url: string | undefined;
  /** The owner of the item: the user name, if there is one. */
  readonly owner: string | undefined;
  readonly reaction: string | undefined;
}

const isUrl = (text: string) => /^https?:\/\//.test(text);

function readMetaLabels(item: JsonObject): MetaLabels {
  const entries = listOf(item.label_values).map(objectOf);
  const plain = entries.flatMap((entry) => {
    const [label, value] = [textOf(entry.label) ?? '', firstText(entry.value, entry.href)];
    return value === undefined ? [] : [{ label, value }];
  });
  const find = (pattern: RegExp) => plain.find(({ label }) => pattern.test(label))?.value;
  const reaction = find(/reaction|reaktion|réaction|reacci|reazion/i);
  const owner = find(/owner|eigent|propri|dueño|username|benutzername/i) ?? findPerson(entries);
  const words = plain
    .map(({ value }) => value)
    .filter((value) => !isUrl(value) && value !== owner && value !== reaction);
  return {
    text: words.sort((a, b) => b.length - a.length)[0],
    url: plain.map(({ value }) => value).find(isUrl),
    owner,
    reaction,
  };
}

/** A person is a URL, a name and a user name, in that order; other things have only a name. */
function findPerson(entries: readonly JsonObject[]): string | undefined {
  for (const { dict } of entries)
    for (const one of listOf(dict)) {
      const values = listOf(objectOf(one).dict).map((entry) => textOf(objectOf(entry).value));
      if (values.length > 1) return values.findLast((value) => value !== undefined);
    }
  return undefined;
}
