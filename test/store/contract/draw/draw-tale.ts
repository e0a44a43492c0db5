import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import type { Draw } from '../../../support/draw.ts';
import type { Land } from '../../../support/granted-sources.ts';
import type { Step } from '../../../support/story-step.ts';
import { drawAttachments } from './draw-attachments.ts';
import { drawClub } from './draw-club.ts';
import { drawArrivals, drawBesideLibrary, drawCrowdedMinute } from './draw-crowd.ts';
import { drawGrant } from './draw-grant.ts';
import { drawLongTexts } from './draw-long-texts.ts';
import { drawStory } from './draw-records.ts';
import type { DrawnRequest } from './draw-request.ts';
import { drawSums } from './draw-sums.ts';
import { drawWandering } from './draw-wandering.ts';
import { misspell } from './misspell.ts';
import { type Palette, plainPalette, scriptPalette } from './palette.ts';

/** What two worlds both live through, and who reads them. */
export interface Tale {
  /** Where it is not the usual one. */
  readonly land?: Land;
  readonly timeZone: string;
  readonly palette: Palette;
  /** Readers come between the chapters, and go on where they were in later ones. */
  readonly chapters: readonly (readonly Step[])[];
  readonly terms: readonly GrantedStreamTerms[];
  /** Asked after every chapter, beside what is drawn. */
  readonly asked: readonly (DrawnRequest & { readonly pages?: number })[];
  /**
   * Thousands of hidden steps: neighbours of what is visible, before the first chapter; or after it edits of what is
   * visible, or records of a stream that is not. Arrivals are visible, in the second chapter; their times are not.
   */
  readonly flood?: 'neighbours' | 'edits' | 'library' | 'arrivals';
  /** Whether sources are declared anew, with more that is hidden, between chapters. */
  readonly redeclares?: boolean;
}

/** What a case dwells on. Each is one place where hidden things once had, or could have, a say. */
export const themes = {
  plain: (draw: Draw) => tellStory(draw, plainPalette),
  scripts: (draw: Draw) => drawScripts(draw),
  'long texts': (draw: Draw) => drawLongTexts(draw),
  'wide numbers': (draw: Draw) => drawSums(draw),
  declarations: (draw: Draw) => ({ ...tellStory(draw, plainPalette), redeclares: true }),
  wandering: (draw: Draw) => drawWandering(draw),
  'names and units': (draw: Draw) => drawClub(draw),
  attachments: (draw: Draw) => drawAttachments(draw),
  'a crowded minute': (draw: Draw) => drawCrowdedMinute(draw),
  'a hidden library': (draw: Draw) => drawBesideLibrary(draw),
  'arrivals between pages': (draw: Draw) => drawArrivals(draw),
} satisfies Record<string, (draw: Draw) => Tale>;

export type Theme = keyof typeof themes;

/** How often each comes in a hundred: the heavy ones rarely. */
const SHARES: readonly (readonly [Theme, number])[] = [
  ['plain', 13],
  ['scripts', 15],
  ['long texts', 8],
  ['wide numbers', 9],
  ['declarations', 10],
  ['wandering', 15],
  ['names and units', 14],
  ['attachments', 12],
  ['a crowded minute', 1],
  ['a hidden library', 2],
  ['arrivals between pages', 1],
];

export function drawTheme(draw: Draw): Theme {
  let left = draw.upTo(99);
  for (const [theme, share] of SHARES) {
    if (left < share) return theme;
    left -= share;
  }
  return 'plain';
}

/** Texts that are easy to misread, looked for by words that are easy to mistype. */
function drawScripts(draw: Draw): Tale {
  const palette = scriptPalette(draw);
  const queries = Array.from({ length: 8 }, () => misspell(draw, draw.pick(palette.words)));
  const asked = queries.map((query) => ({ tool: 'search', args: { query, limit: 4 }, pages: 2 }));
  return { ...tellStory(draw, palette), asked: asked.filter(({ args }) => args.query !== '') };
}

function tellStory(draw: Draw, palette: Palette): Tale {
  const story = drawStory(draw, palette);
  const { timeZone, first, later } = story;
  return { timeZone, palette, terms: drawGrant(draw, story), chapters: [first, later], asked: [] };
}
