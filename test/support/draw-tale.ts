import type { GrantedStreamTerms } from '../../src/grants/grant.ts';
import type { Draw } from './draw.ts';
import { drawBesideLibrary, drawCrowdedMinute } from './draw-crowd.ts';
import { drawGrant } from './draw-grant.ts';
import { drawStory, type Step, type Story } from './draw-records.ts';
import type { DrawnRequest } from './draw-request.ts';
import { drawWandering } from './draw-wandering.ts';
import { letters } from './granted-sources.ts';
import { longPalette, type Palette, plainPalette, scriptPalette, widePalette } from './palette.ts';

/** What two worlds both live through, and who reads them. */
export interface Tale {
  readonly timeZone: string;
  readonly palette: Palette;
  /** Readers come between the chapters, and go on where they were in later ones. */
  readonly chapters: readonly (readonly Step[])[];
  readonly terms: readonly GrantedStreamTerms[];
  /** Asked after every chapter, beside what is drawn. */
  readonly asked: readonly (DrawnRequest & { readonly pages?: number })[];
  /** Thousands of hidden steps after the first chapter: edits of visible records, or records of a hidden stream. */
  readonly flood?: 'edits' | 'library';
  /** Whether sources are declared anew, with more that is hidden, between chapters. */
  readonly redeclares?: boolean;
}

/** What a case dwells on. Each is one place where hidden things once had, or could have, a say. */
export const themes = {
  plain: (draw: Draw) => tellStory(draw, plainPalette),
  scripts: (draw: Draw) => tellStory(draw, scriptPalette(draw)),
  'long texts': (draw: Draw) => tellLong(draw),
  'wide numbers': (draw: Draw) => tellSums(draw),
  declarations: (draw: Draw) => ({ ...tellStory(draw, plainPalette), redeclares: true }),
  wandering: (draw: Draw) => drawWandering(draw),
  'a crowded minute': (draw: Draw) => drawCrowdedMinute(draw),
  'a hidden library': (draw: Draw) => drawBesideLibrary(draw),
} satisfies Record<string, (draw: Draw) => Tale>;

export type Theme = keyof typeof themes;

/** How often each comes in a hundred: the heavy ones rarely. */
const SHARES: readonly (readonly [Theme, number])[] = [
  ['plain', 18],
  ['scripts', 24],
  ['long texts', 8],
  ['wide numbers', 12],
  ['declarations', 12],
  ['wandering', 23],
  ['a crowded minute', 1],
  ['a hidden library', 2],
];

export function drawTheme(draw: Draw): Theme {
  let left = draw.upTo(99);
  for (const [theme, share] of SHARES) {
    if (left < share) return theme;
    left -= share;
  }
  return 'plain';
}

function tellStory(draw: Draw, palette: Palette): Tale {
  const story = drawStory(draw, palette);
  return toTale(story, palette, drawGrant(draw, story));
}

function toTale(
  { timeZone, first, later }: Story,
  palette: Palette,
  terms: readonly GrantedStreamTerms[],
): Tale {
  return { timeZone, palette, terms, chapters: [first, later], asked: [] };
}

/** Few records, some of them very large, read by who may see one long text and not another. */
function tellLong(draw: Draw): Tale {
  const palette = longPalette();
  const story = drawStory(draw, palette);
  const few = { ...story, first: story.first.slice(0, 16), later: story.later.slice(0, 6) };
  const terms = drawGrant(draw, few).map((one) =>
    hide(one, draw.some(['title', 'notes', 'note', 'mood'], 40)),
  );
  return toTale(few, palette, terms);
}

/** Sums that an order could change, read by who may not see that order. */
function tellSums(draw: Draw): Tale {
  const palette = widePalette(draw);
  const story = drawStory(draw, palette);
  const connection = draw.pick(['post_home', 'post_work']);
  const fields = Object.keys(letters.fields).filter(
    (name) => name !== 'sent_at' && (draw.chance(70) || /^(id|price)$/.test(name)),
  );
  const terms = [
    ...drawGrant(draw, story).filter((one) => one.connection_id !== connection || one.stream !== 'letters'),
  ];
  terms.push({ connection_id: connection, stream: 'letters', fields, time_field: 'sent_at' });
  const target = { stream: 'letters', connection_id: connection, field: 'price' };
  const grouped = fields.filter((name) => /^(folder|read|box_id)$/.test(name));
  const asked = ['sum', 'avg'].flatMap((metric): DrawnRequest[] => [
    { tool: 'aggregate', args: { ...target, metric } },
    ...grouped.map((name) => ({ tool: 'aggregate', args: { ...target, metric, group_by: [name] } })),
  ]);
  return { ...toTale(story, palette, terms), asked };
}

function hide(terms: GrantedStreamTerms, names: readonly string[]): GrantedStreamTerms {
  return { ...terms, fields: terms.fields.filter((name) => !names.includes(name)) };
}
