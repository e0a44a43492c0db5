export interface PageItem {
  readonly kind: 'message' | 'service';
  readonly id: string;
  /** Whether the sender is omitted, because it is that of the message before. */
  readonly isJoined: boolean;
  isCut: boolean;
  sender: string;
  isForwarded: boolean;
  /** Empty if the message before was forwarded from the same source. */
  forwardedFrom: string;
  time: string | undefined;
  text: string;
  replyTo: string | undefined;
  /** The classes of its media: `media_photo`, `sticker_wrap`. */
  readonly media: string[];
  readonly files: string[];
  mediaTitle: string;
  mediaStatus: string;
  poll: string;
  readonly reactions: string[];
}

type Role =
  | 'none'
  | 'sender'
  | 'forwardedFrom'
  | 'text'
  | 'mediaTitle'
  | 'mediaStatus'
  | 'poll'
  | 'reaction'
  | 'media'
  | 'reply'
  | 'body';

interface OpenElement {
  readonly role: Role;
  readonly isForwarded: boolean;
  /** The URL to write after the text of a link. */
  readonly href?: string;
  readonly start?: number;
  readonly isMessage?: boolean;
}

const MAX_DEPTH = 200;
const MAX_MESSAGE_CHARACTERS = 1_000_000;
const MAX_MESSAGE_ELEMENTS = 10_000;
const BLOCKS = new Set(['blockquote', 'pre', 'div']);

export class PageState {
  readonly #elements: OpenElement[] = [];
  #tooDeep = 0;
  #item: PageItem | undefined;
  #size = { characters: 0, elements: 0 };

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#elements.length >= MAX_DEPTH) {
      this.#tooDeep += 1;
      return;
    }
    const classes = new Set((attributes.class ?? '').split(/\s+/));
    const id = /^message(-?\d+)$/.exec(attributes.id ?? '')?.[1];
    if (this.#item === undefined && classes.has('message') && id !== undefined) {
      this.#item = createItem(id, classes);
      this.#size = { characters: 0, elements: 0 };
      this.#elements.push({ role: 'body', isForwarded: false, isMessage: true });
      return;
    }
    const parent = this.#elements.at(-1) ?? { role: 'none', isForwarded: false };
    const isForwarded = parent.isForwarded || classes.has('forwarded');
    if (this.#item === undefined) {
      this.#elements.push({ role: 'none', isForwarded: false });
      return;
    }
    this.#size.elements += 1;
    this.#item.isCut ||= this.#size.elements > MAX_MESSAGE_ELEMENTS;
    this.#item.isForwarded ||= isForwarded;
    const role = findRole(parent.role, classes, isForwarded);
    this.#take(this.#item, role, name, classes, attributes);
    const isLink = role === 'text' && name === 'a' && /^(?:https?|tg|mailto):/.test(attributes.href ?? '');
    this.#elements.push({
      role,
      isForwarded,
      ...(isLink ? { href: attributes.href ?? '', start: this.#item.text.length } : {}),
    });
  }

  close(): PageItem | undefined {
    if (this.#tooDeep > 0) {
      this.#tooDeep -= 1;
      return undefined;
    }
    const element = this.#elements.pop();
    const item = this.#item;
    if (item === undefined || element === undefined) return undefined;
    if (element.href !== undefined && !isShown(element.href, item.text.slice(element.start)))
      item.text += ` (${element.href})`;
    if (element.isMessage !== true) return undefined;
    this.#item = undefined;
    return item;
  }

  addText(text: string): void {
    const role = this.#elements.at(-1)?.role ?? 'none';
    const item = this.#item;
    if (item === undefined) return;
    this.#size.characters += text.length;
    item.isCut ||= this.#size.characters > MAX_MESSAGE_CHARACTERS;
    if (item.isCut) return;
    if (role === 'body' && item.kind === 'service') item.text += text;
    else if (role === 'reaction') item.reactions.push((item.reactions.pop() ?? '') + text);
    else if (
      role === 'sender' ||
      role === 'forwardedFrom' ||
      role === 'text' ||
      role === 'mediaTitle' ||
      role === 'mediaStatus' ||
      role === 'poll'
    )
      item[role] += text;
  }

  #take(
    item: PageItem,
    role: Role,
    name: string,
    classes: ReadonlySet<string>,
    attributes: Readonly<Record<string, string>>,
  ): void {
    if (item.isCut) return;
    if (classes.has('date') && name === 'div') item.time ??= attributes.title;
    if (role === 'reaction') item.reactions.push('');
    if (role === 'text' && name === 'br') item.text += '\n';
    else if (role === 'text' && BLOCKS.has(name) && item.text !== '') item.text += '\n';
    if (role === 'reply') item.replyTo ??= /go_to_message(-?\d+)/.exec(attributes.href ?? '')?.[1];
    if (role !== 'media' && role !== 'poll') return;
    for (const one of classes)
      if (/^media_(?!wrap)|_wrap$/.test(one) && one !== 'media_wrap') item.media.push(one);
    const path = attributes.href;
    if (name === 'a' && path !== undefined && !/^[a-z]+:|^#|^$/i.test(path)) item.files.push(path);
  }
}

/** Returns whether the text of a link is its URL, or the name at its end: `example.org`, `@bo`. */
function isShown(href: string, words: string): boolean {
  const [address, shown] = [href, words.trim().replace(/^@/, '')].map((one) => one.replace(/\/$/, ''));
  return address === shown || address === `mailto:${shown}` || address?.endsWith(`/${shown}`) === true;
}

function createItem(id: string, classes: ReadonlySet<string>): PageItem {
  return {
    kind: classes.has('service') ? 'service' : 'message',
    id,
    isJoined: classes.has('joined'),
    isCut: false,
    sender: '',
    isForwarded: false,
    forwardedFrom: '',
    time: undefined,
    text: '',
    replyTo: undefined,
    media: [],
    files: [],
    mediaTitle: '',
    mediaStatus: '',
    poll: '',
    reactions: [],
  };
}

function findRole(parent: Role, classes: ReadonlySet<string>, isForwarded: boolean): Role {
  if (parent === 'none' || classes.has('userpic_wrap') || classes.has('date')) return 'none';
  if (parent === 'sender' || parent === 'forwardedFrom') return classes.has('details') ? 'none' : parent;
  if (classes.has('from_name')) return isForwarded ? 'forwardedFrom' : 'sender';
  if (classes.has('reply_to')) return 'reply';
  if (classes.has('bot_buttons_table') || classes.has('userpics') || classes.has('count')) return 'none';
  if (classes.has('reactions') || classes.has('reaction')) return 'media';
  if (classes.has('emoji') && parent === 'media') return 'reaction';
  if (classes.has('media_poll') || parent === 'poll') return classes.has('details') ? 'none' : 'poll';
  if (parent === 'media') {
    if (classes.has('title')) return 'mediaTitle';
    if (classes.has('status') || classes.has('video_duration')) return 'mediaStatus';
    return classes.has('description') ? 'none' : 'media';
  }
  if (classes.has('media_wrap')) return 'media';
  if (classes.has('text')) return 'text';
  return classes.has('signature') ? 'none' : parent;
}
