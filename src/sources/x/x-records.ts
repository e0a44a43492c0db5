import type { AttachedFile } from '../../attachments/attached-file.ts';
import type { ImportOptions } from '../../import/importer.ts';
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
import type { Handles } from './x-handles.ts';
import { listMedia, listMessageFiles, listPostFiles } from './x-media.ts';

/** Facts about the whole archive. */
export interface Archive {
  readonly options: ImportOptions;
  /** The owner's account number. */
  readonly self: string | undefined;
  readonly handles: Handles;
}

type Read = (
  source: JsonObject,
  archive: Archive,
) => { stream: string; data: JsonObject; files?: readonly AttachedFile[] }[];

/** Readers by the name in the assignment. */
export const xParts: Readonly<Record<string, Read>> = {
  tweets: readPosts,
  tweet: readPosts,
  community_tweet: readPosts,
  deleted_tweets: (source, archive) =>
    readPosts(source, archive).map((one) => ({ ...one, data: { ...one.data, is_deleted: true } })),
  note_tweet: (source, { options }) => [
    { stream: 'posts', data: readNote(objectOf(source.noteTweet), options) },
  ],
  like: (source) => {
    const { tweetId, fullText, expandedUrl } = objectOf(source.like);
    return [
      {
        stream: 'likes',
        data: { id: textOf(tweetId), text: decodeText(fullText), url: textOf(expandedUrl) },
      },
    ];
  },
  direct_message: readConversation,
  direct_messages: readConversation,
  direct_message_group: readConversation,
  direct_messages_group: readConversation,
  follower: readPerson('followers', 'follower'),
  following: readPerson('following', 'following'),
  block: readPerson('blocked', 'blocking'),
  mute: readPerson('muted', 'muting'),
  saved_search: (source) => {
    const { savedSearchId, query } = objectOf(source.savedSearch);
    return [{ stream: 'saved_searches', data: { id: textOf(savedSearchId), query: textOf(query) } }];
  },
  account: (source, { options }) => {
    const { accountId, accountDisplayName, username, email, phoneNumber, createdAt } = objectOf(
      source.account,
    );
    const data = {
      id: textOf(accountId),
      name: textOf(accountDisplayName),
      username: textOf(username),
      email: textOf(email),
      phone: textOf(phoneNumber),
      created_at: timeOf(createdAt, options),
    };
    return [{ stream: 'account', data }];
  },
};

function readPosts(source: JsonObject, { options }: Archive) {
  const post = objectOf(source.tweet ?? source);
  return [{ stream: 'posts', data: readPost(post, options), files: listPostFiles(post) }];
}

export function readPost(post: JsonObject, options: ImportOptions): JsonObject {
  const entities = objectOf(post.entities);
  const id = firstText(post.id_str, post.id);
  const text = decodeText(post.full_text ?? post.text);
  const replyTo = textOf(post.in_reply_to_screen_name);
  const replyId = firstText(post.in_reply_to_status_id_str, post.in_reply_to_status_id);
  const media = listMedia(post);
  return {
    id,
    text,
    created_at: timeOf(post.created_at, options),
    like_count: integerOf(post.favorite_count),
    repost_count: integerOf(post.retweet_count),
    language: textOf(post.lang),
    reply_to_id: replyId,
    reply_to: replyTo,
    is_reply: replyTo !== undefined || replyId !== undefined,
    is_repost: flagOf(post.retweeted) === true || text?.startsWith('RT @') === true,
    hashtags: someOf(listOf(entities.hashtags).map((tag) => textOf(objectOf(tag).text))),
    mentions: someOf(listOf(entities.user_mentions).map((one) => textOf(objectOf(one).screen_name))),
    links: readLinks(entities.urls),
    media: someOf([...new Set(media.map((one) => firstText(one.media_url_https, one.media_url)))]),
    app: textOf(post.source)?.replace(/<[^>]*>/g, ''),
    url: id === undefined ? undefined : `https://x.com/i/status/${id}`,
  };
}

/** Reads a long post. They are in a separate file. */
function readNote(note: JsonObject, options: ImportOptions): JsonObject {
  const core = objectOf(note.core);
  return {
    id: textOf(note.noteTweetId),
    text: decodeText(core.text),
    created_at: timeOf(note.createdAt, options),
    hashtags: someOf(listOf(core.hashtags).map((tag) => firstText(objectOf(tag).text, tag))),
    mentions: someOf(listOf(core.mentions).map((one) => firstText(objectOf(one).screenName, one))),
    links: readLinks(core.urls),
  };
}

function readConversation(source: JsonObject, { options, self, handles }: Archive) {
  const conversation = objectOf(source.dmConversation);
  const id = textOf(conversation.conversationId) ?? 'unknown';
  return listOf(conversation.messages).flatMap((one) => {
    // Other entries say who joined, left and renamed the group.
    const message = objectOf(objectOf(one).messageCreate);
    if (message.id === undefined && message.text === undefined) return [];
    const [sender, recipient] = [textOf(message.senderId), textOf(message.recipientId)];
    const data = {
      id: textOf(message.id),
      conversation_id: id,
      sender: handles.get(sender ?? ''),
      recipient: handles.get(recipient ?? ''),
      sender_id: sender,
      recipient_id: recipient,
      from_me: self === undefined || sender === undefined ? undefined : sender === self,
      text: decodeText(message.text),
      sent_at: timeOf(message.createdAt, options),
      media: someOf(listOf(message.mediaUrls).map(textOf)),
      links: readLinks(message.urls),
    };
    return [{ stream: 'direct_messages', data, files: listMessageFiles(message) }];
  });
}

function readPerson(stream: string, key: string): Read {
  return (source, { handles }) => {
    const { accountId, userLink } = objectOf(source[key]);
    const id = textOf(accountId);
    return [{ stream, data: { id, name: handles.get(id ?? ''), url: textOf(userLink) } }];
  };
}

function readLinks(links: unknown): string[] | undefined {
  return someOf(
    listOf(links).map((link) => {
      const { expanded_url, expandedUrl, expanded, url } = objectOf(link);
      return firstText(expanded_url, expandedUrl, expanded, url);
    }),
  );
}

const CODES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** Decodes HTML escapes. Texts by others also have escaped quotes. */
function decodeText(value: unknown): string | undefined {
  return textOf(value)?.replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => CODES[name] as string);
}
