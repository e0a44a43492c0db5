import type { AttachedFile } from '../../attachments/attached-file.ts';
import { firstText, type JsonObject, listOf, objectOf, someOf, textOf } from '../values/json.ts';

const POST_FOLDERS = ['tweets_media', 'tweet_media', 'community_tweet_media', 'deleted_tweets_media'];
const MESSAGE_FOLDERS = [
  'direct_messages_media',
  'direct_message_media',
  'direct_messages_group_media',
  'direct_message_group_media',
];

/** Lists the pictures and videos of a post. The newer list has all of them, the older one only the first. */
export const listMedia = (post: JsonObject): JsonObject[] =>
  [...listOf(objectOf(post.extended_entities).media), ...listOf(objectOf(post.entities).media)].map(objectOf);

/** Lists the files of a post. The archive has one of the sizes of a video. */
export function listPostFiles(post: JsonObject): AttachedFile[] {
  const files = listMedia(post).map((one) => {
    const variants = listOf(objectOf(one.video_info).variants).map((variant) =>
      textOf(objectOf(variant).url),
    );
    return someOf([...variants, firstText(one.media_url_https, one.media_url)]) ?? [];
  });
  return locate(firstText(post.id_str, post.id), files, POST_FOLDERS);
}

/** Lists the files of a direct message. */
export const listMessageFiles = (message: JsonObject): AttachedFile[] =>
  locate(
    textOf(message.id),
    listOf(message.mediaUrls).map((url) => someOf([textOf(url)]) ?? []),
    MESSAGE_FOLDERS,
  );

/** Files are named by the id of the post or message and the end of the address. */
function locate(
  id: string | undefined,
  files: readonly (readonly string[])[],
  folders: readonly string[],
): AttachedFile[] {
  const found = new Map<string, AttachedFile>();
  for (const addresses of files) {
    const names = addresses.map(
      (address) =>
        `${id}-${address
          .replace(/[?#].*$/, '')
          .split('/')
          .at(-1)}`,
    );
    const path = folders.flatMap((folder) => names.map((name) => `${folder}/${name}`));
    // The lists of a post overlap.
    const key = names.at(-1);
    if (id !== undefined && key !== undefined && !found.has(key)) found.set(key, { path });
  }
  return [...found.values()];
}
