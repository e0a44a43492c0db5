import type { Draw } from '../../../support/draw.ts';
import type { Tale } from '../draw/draw-tale.ts';
import { drawWideRequest } from '../draw/draw-wide-request.ts';
import { misspell } from '../draw/misspell.ts';
import {
  compare,
  comparePages,
  comparePath,
  expectSame,
  type Handles,
  type Pair,
  toPath,
} from './compare-worlds.ts';

const REQUESTS = 6;
const MAX_CACHED = 8;
/** Of calls that REST could answer as well, every so-manieth goes over MCP. Counted, so that it draws nothing. */
const OVER_MCP = 7;

export function alternate(): () => boolean {
  let calls = 0;
  return () => ++calls % OVER_MCP !== 0;
}

/** Someone who reads both worlds, keeps handles, and comes back to them later. */
export class TaleReader {
  readonly #draw: Draw;
  readonly #tale: Tale;
  readonly #pair: Pair;
  readonly #kept: { tool: string; args: Record<string, unknown>; handles: Handles }[] = [];
  requests = 0;

  constructor(draw: Draw, tale: Tale, pair: Pair) {
    this.#draw = draw;
    this.#tale = tale;
    this.#pair = pair;
  }

  /** Handles to come back to: what has changed since now, and pages and hits that are not read to the end. */
  async take(): Promise<void> {
    const draw = this.#draw;
    for (const { stream, connection_id, fields } of draw.shuffle(this.#tale.terms).slice(0, 2)) {
      const args = { stream, connection_id };
      const some = draw.chance(30) ? { fields: draw.some(fields, 50).slice(0, 3) } : {};
      await this.#keep(
        'query_records',
        { ...args, ...(some.fields?.length ? some : {}) },
        { changes_since: 'now' },
      );
      const sorts = fields.includes('ref') ? [{ sort: 'ref' }, { sort: '-ref' }] : [];
      const order = draw.pick([{}, {}, { sort: 'id' }, { sort: '-id' }, { fields: ['id'] }, ...sorts]);
      await this.#keep('query_records', { ...args, limit: 1 + draw.upTo(1), ...order });
    }
    const word = () => draw.pick(this.#tale.palette.words);
    const query = draw.pick([word(), `${word()} ${misspell(draw, word())}`, `"${word()} ${word()}"`]);
    const also = draw.chance(40) ? { also: [word(), `${misspell(draw, word())} ${word()}`] } : {};
    const asked = this.#tale.asked.find(({ tool }) => tool === 'search')?.args ?? { query };
    for (const args of [{ query, ...also }, asked]) await this.#keep('search', { ...args, limit: 1 });
  }

  /** Comes back to what was kept, asks what the tale and chance say, and keeps some more. */
  async read(isLast: boolean): Promise<void> {
    const draw = this.#draw;
    for (const { tool, args, handles } of isLast ? this.#kept : draw.some(this.#kept, 40))
      await this.#follow(tool, { ...args, limit: args.limit ?? 3 }, handles);
    for (const { tool, args, pages } of this.#tale.asked) await this.#follow(tool, args, undefined, pages);
    for (let at = 0; at < (isLast ? REQUESTS : 2); at++) await this.#ask();
    if (!isLast && this.#kept.length < MAX_CACHED) await this.take();
  }

  /** The list of tools and the index, which every client reads. */
  async readAround(): Promise<void> {
    const { here, there } = this.#pair;
    await comparePath(this.#pair, '/v1/schema');
    const [a, b] = await Promise.all([here, there].map(({ world, token }) => world.rpc(token, 'tools/list')));
    expectSame('tools/list', JSON.stringify(a), JSON.stringify(b));
    this.requests += 2;
    await this.#pickResources();
  }

  /** As a person does in a client: looks at what is offered, opens some, and types the address of another. */
  async #pickResources(): Promise<void> {
    const draw = this.#draw;
    const listed = (await this.#rpc('resources/list', {})) as { resources: { uri: string }[] };
    const uris = listed.resources.map((one) => one.uri);
    const templates = (await this.#rpc('resources/templates/list', {})) as {
      resourceTemplates: { uriTemplate: string }[];
    };
    const ref = { type: 'ref/resource', uri: String(templates.resourceTemplates[0]?.uriTemplate) };
    const term = draw.pick(this.#tale.terms);
    const guess = `${ref.uri.split('/r/')[0]}/r/${term.connection_id}/${term.stream}/${draw.pick(['a', 'k1', '0'])}`;
    for (const uri of [...draw.shuffle(uris).slice(0, 2), guess]) await this.#rpc('resources/read', { uri });
    const context = { arguments: { connection: term.connection_id, stream: term.stream } };
    for (const name of ['connection', 'stream', 'key'])
      await this.#rpc('completion/complete', { ref, argument: { name, value: '' }, context });
  }

  async #rpc(method: string, params: Record<string, unknown>): Promise<unknown> {
    this.requests += 1;
    const { here, there } = this.#pair;
    const a = await here.world.rpc(here.token, method, params);
    const b = await there.world.rpc(there.token, method, params);
    expectSame(`${method} ${JSON.stringify(params)}`, JSON.stringify(a), JSON.stringify(b));
    return (a.body as { result?: unknown }).result;
  }

  async #ask(): Promise<void> {
    const { terms, palette, land } = this.#tale;
    const { tool, args } = drawWideRequest(this.#draw, terms, palette, land);
    if (this.#draw.chance(20)) {
      this.requests += 1;
      await comparePath(this.#pair, toPath(tool, this.#pair.spoil?.(args) ?? args));
    } else await this.#follow(tool, args);
  }

  async #follow(tool: string, args: Record<string, unknown>, handles?: Handles, most = 25): Promise<void> {
    this.requests += 1;
    if (tool !== 'fetch') return comparePages(this.#pair, tool, args, handles, most);
    const { nextOffset } = await compare(this.#pair, tool, args);
    if (nextOffset !== undefined) await compare(this.#pair, tool, { ...args, offset: nextOffset });
  }

  async #keep(
    tool: string,
    args: Record<string, unknown>,
    begin: { changes_since?: string } = {},
  ): Promise<void> {
    this.requests += 1;
    const { handles } = await compare(this.#pair, tool, args, [begin, begin]);
    // Without a next page there is nothing to come back to; asked again from the start, it is a request like others.
    this.#kept.push({ tool, args, handles });
  }
}
