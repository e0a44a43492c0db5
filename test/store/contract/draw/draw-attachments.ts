import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import type { Draw } from '../../../support/draw.ts';
import { type Place, placesOf } from '../../../support/granted-sources.ts';
import type { Data, Step } from '../../../support/story-step.ts';
import { drawTerms } from './draw-grant.ts';
import { drawData, drawDay, drawTime, MEDIA_TYPES, PARENT_KEYS, STRINGS, ZONES } from './draw-records.ts';
import type { DrawnRequest } from './draw-request.ts';
import type { Tale } from './draw-tale.ts';
import { fileKey, mailbox } from './mailbox-land.ts';
import { misspell } from './misspell.ts';
import { longPalette, type Palette, plainPalette } from './palette.ts';

const CONNECTIONS = mailbox.connections.map(({ id }) => id);
const ANY_FILE = 7;
/** Cases of a hundred in which some texts are so long that they are read in pieces. */
const LONG_PERCENT = 20;

/** Messages and their files, of which one side, some records of it or the field that joins them is hidden. */
export function drawAttachments(draw: Draw): Tale {
  const timeZone = draw.pick(ZONES);
  const palette = draw.chance(LONG_PERCENT) ? { ...longPalette(), long: 12 } : plainPalette;
  const mailboxes = CONNECTIONS.slice(0, draw.pick([1, 1, 2])).map((id) => new Mailbox(draw, id, palette));
  const chapter = (messages: number, files: number) =>
    mailboxes.flatMap((one) => draw.shuffle(one.change(messages, files)));
  const [first, second, later] = [chapter(6, 14), chapter(3, 6), chapter(3, 6)];
  const story = { timeZone, first, later: [...second, ...later] };
  const terms = mailboxes.flatMap((one) => drawSides(draw, one, (place) => drawTerms(draw, story, place)));
  return {
    land: mailbox,
    timeZone,
    palette,
    terms,
    chapters: [first, second, later],
    asked: drawAsked(draw, palette),
    ...(draw.chance(25) ? { redeclares: true } : {}),
  };
}

/** Puts and deletes messages and files; most files have the time of their message. */
class Mailbox {
  readonly messages: Place;
  readonly files: Place;
  readonly #draw: Draw;
  readonly #palette: Palette;
  readonly #times = new Map<string, unknown>();
  /** A message with more files than `expand` shows. */
  readonly #full: string;

  constructor(draw: Draw, connection: string, palette: Palette) {
    this.#draw = draw;
    this.#palette = palette;
    const own = placesOf(mailbox).filter((place) => place.connection === connection);
    [this.messages, this.files] = own as [Place, Place];
    this.#full = draw.pick(PARENT_KEYS);
  }

  change(messages: number, files: number): Step[] {
    return [
      ...Array.from({ length: messages }, () => this.#changeMessage()),
      ...Array.from({ length: files }, () => this.#changeFile()),
    ];
  }

  #changeMessage(): Step {
    const key = this.#draw.pick(PARENT_KEYS);
    if (this.#draw.chance(15)) return { place: this.messages, key, data: undefined };
    const data = drawData(this.#draw, this.messages.spec, { id: key }, this.#palette);
    this.#times.set(key, data.sent_at);
    return { place: this.messages, key, data };
  }

  #changeFile(): Step {
    const draw = this.#draw;
    const parent = draw.chance(50) ? this.#full : draw.pick(PARENT_KEYS);
    const key = fileKey(parent, draw.upTo(ANY_FILE));
    if (draw.chance(10)) return { place: this.files, key, data: undefined };
    const data: Data = drawData(draw, this.files.spec, { id: key }, this.#palette);
    const parent_id = draw.chance(90) ? parent : draw.pick(PARENT_KEYS);
    const time = draw.chance(80) ? this.#times.get(parent) : drawTime(draw);
    return { place: this.files, key, data: { ...data, parent_id, parent_time: time } };
  }
}

/** Terms for both streams or one of them; often without the text of files, or without what they belong to. */
function drawSides(
  draw: Draw,
  { messages, files }: Mailbox,
  drawPlace: (place: Place) => GrantedStreamTerms,
): GrantedStreamTerms[] {
  const sides = draw.pick([[messages, files], [messages, files], [messages, files], [files], [messages]]);
  const hidden = draw.pick([['text'], ['parent_id'], ['name', 'text'], ['parent_time'], [], []]);
  return sides.map((place) => {
    const terms = drawPlace(place);
    if (place === messages || draw.chance(30)) return terms;
    return { ...terms, fields: Object.keys(place.spec.fields).filter((name) => !hidden.includes(name)) };
  });
}

function drawAsked(draw: Draw, palette: Palette): DrawnRequest[] {
  const connection_id = draw.pick(['mail_home', 'mail_home', '*', CONNECTIONS]);
  const messages = { stream: 'messages', connection_id };
  const files = { stream: 'attachments', connection_id };
  const parent = () => draw.pick(PARENT_KEYS);
  const word = () => draw.pick(palette.words);
  const counted = draw.pick([{}, { count: 'exact' }]);
  const id = (stream: string, key: string) => `mail_home/${stream}/${encodeURIComponent(key)}`;
  const file = () => id('attachments', fileKey(parent(), draw.upTo(ANY_FILE)));
  const through = (): Record<string, unknown> => ({
    [draw.pick(['parent.subject', 'parent.folder', 'parent.sent_at'])]: draw.pick([
      { exists: draw.chance(50) },
      draw.pick(STRINGS),
      { ne: draw.pick(STRINGS) },
    ]),
  });
  const list: DrawnRequest[] = [
    { tool: 'query_records', args: { ...messages, expand: ['attached_files'], ...counted } },
    {
      tool: 'query_records',
      args: {
        ...messages,
        expand: [`attached_files.${draw.pick(['name', 'text', 'parent_id', 'size_bytes'])}`],
      },
    },
    { tool: 'query_records', args: { ...files, expand: [draw.pick(['parent', 'parent.subject'])] } },
    { tool: 'query_records', args: { ...files, filter: { parent_id: parent() }, count: 'exact' } },
    {
      tool: 'query_records',
      args: { ...files, filter: { parent_id: draw.pick([{ ne: parent() }, [parent(), parent(), word()]]) } },
    },
    { tool: 'query_records', args: { ...files, filter: through(), ...counted } },
    { tool: 'query_records', args: { ...files, changes_since: 'beginning' } },
    { tool: 'fetch', args: { id: id('messages', parent()), expand: ['attached_files'] } },
    { tool: 'fetch', args: { id: file(), expand: ['parent'] } },
    { tool: 'fetch', args: { id: file(), field: 'text', offset: draw.pick([0, 1, -20, 900, 30_000]) } },
    // The beginning of a key finds the only record with it.
    { tool: 'fetch', args: { id: id('attachments', `${parent()}/`) } },
    { tool: 'search', args: { query: word(), streams: ['attachments'] } },
    { tool: 'search', args: { query: `${word()} ${word()}`, streams: ['messages', 'attachments'] } },
    { tool: 'search', args: { query: misspell(draw, word()), connection_id: 'mail_home', limit: 3 } },
    { tool: 'search', args: { query: word(), filter: draw.pick([through(), { parent_id: parent() }]) } },
    { tool: 'aggregate', args: { ...files, group_by: ['media_type'] } },
    { tool: 'aggregate', args: { ...files, group_by: [draw.pick(['parent_id', 'parent.subject'])] } },
    {
      tool: 'aggregate',
      args: {
        ...{ ...files, metric: 'sum', field: 'size_bytes' },
        group_by: draw.pick([
          ['parent.folder'],
          ['media_type', 'parent_id'],
          ['text_status', 'connection_id'],
        ]),
      },
    },
    {
      tool: 'aggregate',
      args: {
        ...files,
        filter: draw.pick([through(), { media_type: MEDIA_TYPES }, { parent_id: parent() }]),
      },
    },
    {
      tool: 'aggregate',
      args: { ...files, ranges: { all: { gte: '1970-01-01' }, new: { gte: drawDay(draw) } } },
    },
    {
      tool: 'aggregate',
      args: {
        ...{ ...files, interval: draw.pick(['day', 'month', 'hour']), group_by: ['taken_at'] },
        ...draw.pick([{}, { sort: '-group' }, { metric: 'sum', field: 'size_bytes' }]),
      },
    },
    { tool: 'schema', args: { stream: ['messages', 'attachments'], connection_id: '*' } },
  ];
  return list.filter(() => draw.chance(60));
}
