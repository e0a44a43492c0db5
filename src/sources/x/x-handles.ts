import type { InputFile } from '../../import/importer.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { listOf, objectOf, textOf } from '../values/json.ts';

/** By account number. */
export type Handles = ReadonlyMap<string, string>;

const MAX_HANDLES = 100_000;

/** Collects the handles of accounts that the owner mentioned or answered, because X otherwise writes only numbers. */
export async function collectHandles(posts: readonly InputFile[]): Promise<Map<string, string>> {
  const handles = new Map<string, string>();
  const add = (id: unknown, handle: unknown) => {
    const [number, name] = [textOf(id), textOf(handle)];
    if (number !== undefined && name !== undefined && handles.size < MAX_HANDLES) handles.set(number, name);
  };
  for (const file of posts) {
    for await (const element of readJsonElements(file, ['*'], { after: '=' })) {
      if (element.kind === 'problem') continue;
      const source = objectOf(element.value);
      const post = objectOf(source.tweet ?? source);
      add(post.in_reply_to_user_id_str, post.in_reply_to_screen_name);
      for (const one of listOf(objectOf(post.entities).user_mentions)) {
        const mention = objectOf(one);
        add(mention.id_str ?? mention.id, mention.screen_name);
      }
    }
  }
  return handles;
}
