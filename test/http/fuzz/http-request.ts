import type { Draw } from '../../support/draw.ts';
import { drawString } from './draw-hostile.ts';
import type { Known } from './draw-tool-call.ts';

/** A request, and which of the routes it was drawn for. */
export interface HttpRequest {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a drawn request may use to get further than the door. */
export interface Doors extends Known {
  readonly tokens: readonly string[];
  readonly owner: string;
  readonly cookie: string;
  readonly csrf: string;
  readonly clientId: string;
  /** Paths with an id in them that exist. */
  readonly paths: readonly string[];
}

export const TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data',
  '*/*',
  '',
];

export function drawQuery(draw: Draw): string {
  if (draw.chance(60)) return '';
  const query = Array.from({ length: 1 + draw.upTo(2) }, () => {
    const name = draw.pick([
      'q',
      'page',
      'limit',
      'client',
      'since',
      'until',
      'as',
      'stream',
      'field',
      'offset',
      'cursor',
      'sort',
      'filter',
      'return_to',
    ]);
    return `${name}=${draw.chance(70) ? encodeURIComponent(drawString(draw).toWellFormed()) : encodePath(drawString(draw))}`;
  });
  return `?${query.join('&')}`;
}

export function bearer(draw: Draw, { tokens, owner }: Doors): Record<string, string> {
  if (draw.chance(94)) return { authorization: `Bearer ${draw.pick(tokens)}` };
  return {
    authorization: draw.pick([
      `Bearer ${owner}`,
      'Bearer nope',
      'Bearer',
      'Basic eDp5',
      `Bearer ${drawString(draw)}`,
      '',
    ]),
  };
}

/** As a careless client would write it: not everything that should be escaped is, and some escapes are none. */
export function encodePath(text: string): string {
  return encodeURI(text.toWellFormed()).replaceAll('%25', '%').replace(/[?#]/g, '');
}
