import { hashKey } from '../../import/make-key.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import { idWithin } from '../assistant/id-within.ts';
import { firstText, flagOf, type JsonObject, objectOf, someOf, textOf, timeOf } from '../values/json.ts';
import { type ChatFile, readContent } from './chatgpt-content.ts';

const ROLES = ['user', 'assistant', 'system'];
/** Limits how far up the tree a parent is searched for each message. */
const FARTHEST = 100;
const UNSEEN_TYPES = ['thoughts', 'reasoning_recap', 'user_editable_context', 'model_editable_context'];

/** Returns the records of a conversation. All branches are imported, and the visible one is marked. */
export function readConversation(
  source: JsonObject,
  name: string | undefined,
  ratings: ReadonlyMap<string, string>,
) {
  const mapping = objectOf(source.mapping);
  const id = firstText(source.conversation_id, source.id) ?? name ?? makeId(source, mapping);
  const title = textOf(source.title);
  const current = findBranch(mapping, textOf(source.current_node));
  const messages: { readonly data: JsonObject; readonly files: readonly ChatFile[] }[] = [];
  let empty = 0;
  for (const [nodeId, node] of Object.entries(mapping)) {
    const read = readMessage(objectOf(objectOf(node).message));
    if (read === undefined) {
      empty += 1;
      continue;
    }
    const { files, ...message } = read;
    const own = message.id ?? nodeId;
    const parent = findParent(mapping, objectOf(node).parent);
    const data = {
      ...message,
      id: idWithin(id, own),
      conversation_id: id,
      title,
      rating: ratings.get(own),
      parent_id: parent === undefined ? undefined : idWithin(id, parent),
      created_at: message.created_at ?? findTime(mapping, nodeId) ?? momentOf(source.create_time),
      on_current_branch: current?.has(nodeId),
    };
    messages.push({ data, files });
  }
  const conversation = describeTalk(
    source,
    id,
    title,
    messages.map(({ data }) => data),
  );
  return { conversation, messages, empty };
}

function describeTalk(
  source: JsonObject,
  id: string,
  title: string | undefined,
  messages: readonly JsonObject[],
): JsonObject {
  const times = messages.flatMap(({ created_at: time }) => (typeof time === 'string' ? [time] : [])).sort();
  return {
    id,
    title,
    created_at: momentOf(source.create_time) ?? times[0],
    updated_at: momentOf(source.update_time) ?? times.at(-1),
    model: textOf(source.default_model_slug) ?? messages.findLast(({ model }) => model !== undefined)?.model,
    message_count: messages.filter(({ is_hidden: hidden }) => hidden !== true).length,
    is_archived: flagOf(source.is_archived),
    is_starred: flagOf(source.is_starred),
    gpt_id: firstText(source.gizmo_id, source.conversation_template_id),
  };
}

function readMessage(
  message: JsonObject,
):
  | (JsonObject & { id: string | undefined; created_at: string | undefined; files: readonly ChatFile[] })
  | undefined {
  const metadata = objectOf(message.metadata);
  const { text, files, contentType } = readContent(message.content, metadata);
  const attachments = someOf(files.map(({ name, id }) => name ?? id));
  if (text === undefined && attachments === undefined) return undefined;
  const author = textOf(objectOf(message.author).role) ?? 'assistant';
  const role = ROLES.includes(author) ? author : 'tool';
  const recipient = textOf(message.recipient) ?? 'all';
  const isHidden =
    role === 'system' ||
    role === 'tool' ||
    recipient !== 'all' ||
    metadata.is_visually_hidden_from_conversation === true ||
    UNSEEN_TYPES.includes(contentType ?? '');
  return {
    id: textOf(message.id),
    role,
    text,
    created_at: momentOf(message.create_time) ?? momentOf(message.update_time),
    model: role === 'assistant' ? textOf(metadata.model_slug) : undefined,
    content_type: contentType,
    from_me: role === 'user' && !isHidden,
    is_hidden: isHidden,
    attachments,
    files,
  };
}

/** From the visible leaf to the root. Stops at a cycle. */
function findBranch(mapping: JsonObject, leaf: string | undefined): ReadonlySet<string> | undefined {
  if (leaf === undefined || !Object.hasOwn(mapping, leaf)) return undefined;
  const branch = new Set<string>();
  for (let at: string | undefined = leaf; at !== undefined && !branch.has(at); ) {
    branch.add(at);
    at = Object.hasOwn(mapping, at) ? textOf(objectOf(mapping[at]).parent) : undefined;
  }
  return branch;
}

function findParent(mapping: JsonObject, parent: unknown): string | undefined {
  const seen = new Set<string>();
  for (let at = textOf(parent); at !== undefined && !seen.has(at) && seen.size < FARTHEST; ) {
    seen.add(at);
    const node = Object.hasOwn(mapping, at) ? objectOf(mapping[at]) : {};
    const message = readMessage(objectOf(node.message));
    if (message !== undefined) return message.id ?? at;
    at = textOf(node.parent);
  }
  return undefined;
}

/** A message without a time was sent just after the one it answers. */
function findTime(mapping: JsonObject, nodeId: string): string | undefined {
  const seen = new Set<string>();
  for (let at: string | undefined = nodeId; at !== undefined && !seen.has(at) && seen.size < FARTHEST; ) {
    seen.add(at);
    const node: JsonObject = Object.hasOwn(mapping, at) ? objectOf(mapping[at]) : {};
    const time = momentOf(objectOf(node.message).create_time);
    if (time !== undefined) return time;
    at = textOf(node.parent);
  }
  return undefined;
}

/** Usually seconds; other programs write milliseconds or a date. 0 means no time. */
function momentOf(value: unknown): string | undefined {
  const moment = readEpoch(value) ?? timeOf(value, { timeZone: 'UTC' });
  return moment?.startsWith('1970-01-01T') ? undefined : moment;
}

/** For a conversation without an id: the same file gives the same id. */
function makeId(source: JsonObject, mapping: JsonObject): string {
  return hashKey(textOf(source.title), textOf(source.create_time), ...Object.keys(mapping).slice(0, 8));
}
