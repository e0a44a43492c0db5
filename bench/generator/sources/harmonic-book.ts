import type { Random } from '../random.ts';
import { pageActions, remarks, studios } from './harmonic-texts.ts';
import { at, createId, type Row, repeat } from './team-tool.ts';
import { people } from './waypoint-team.ts';

export const origin = 'https://harmonic.example/studios';

/** Rows as they are written, with the cycle of a day made when its first page is. */
export class StudioBook {
  readonly random: Random;
  readonly rows: Record<string, Row[]> = {};

  constructor(random: Random) {
    this.random = random;
  }

  add(stream: string, row: Row): void {
    const rows = this.rows[stream] ?? [];
    this.rows[stream] = rows;
    rows.push(row);
  }

  createNextId(stream: string, kind: string): string {
    return createId(kind, this.rows[stream]?.length ?? 0);
  }

  /** What every page starts with. One page in four is of the second studio. */
  startPage(letter: string, id: string, index: number): { studio: number; day: number; page: Row } {
    const studio = index % 4 === 3 ? 1 : 0;
    const day = Math.floor(index / 2) + 2 * Math.floor(index / 10);
    const { handle } = studios[studio] as (typeof studios)[number];
    const page = {
      studio_id: createId('studio', studio),
      cycle_id: this.#openCycle(studio, day),
      shareable_url: `${origin}/${handle}/${letter}/${id}`,
      created_by: repeat(people.slice(0, studios[studio]?.members), index).name,
      created_at: at(day, index * 3 + this.random.int(0, 60)),
    };
    return { studio, day, page };
  }

  addComments(field: string, page: Row, day: number, total: number): void {
    for (let turn = 0; turn < total; turn++) {
      const id = this.createNextId('comments', 'comment');
      this.add('comments', {
        comment_id: id,
        [field]: page[field],
        body: this.random.pick(remarks),
        author: repeat(people, turn + 1).name,
        shareable_url: `${page.shareable_url}#${id}`,
        created_at: at(day, 300 + turn * 11),
      });
    }
  }

  #openCycle(studio: number, day: number): string {
    const { handle } = studios[studio] as (typeof studios)[number];
    const monday = day - (day % 7);
    const weekId = this.#ensureCycle(
      studio,
      'week',
      `${handle}-week-${getDate(monday)}`,
      monday,
      7,
      undefined,
    );
    return this.#ensureCycle(studio, 'day', `${handle}-${getDate(day)}`, day, 1, weekId);
  }

  #ensureCycle(studio: number, unit: string, id: string, day: number, days: number, weekId?: string): string {
    if (this.rows.cycles?.some((row) => row.cycle_id === id)) return id;
    this.add('cycles', {
      cycle_id: id,
      studio_id: createId('studio', studio),
      week_id: weekId,
      unit,
      title: `${unit === 'week' ? 'Week from' : 'Day'} ${getDate(day)}`,
      starts_at: `${getDate(day)}T00:00:00.000Z`,
      ends_at: `${getDate(day + days)}T00:00:00.000Z`,
      shareable_url: `${origin}/${studios[studio]?.handle}/cycles/${unit === 'week' ? 'week-' : ''}${getDate(day)}`,
      available_actions: listActions('cycle'),
    });
    return id;
  }
}

function getDate(day: number): string {
  return at(day).slice(0, 10);
}

/** The actions of a kind of page, without those that its state rules out. */
export function listActions(pageType: string, ...except: string[]): string[] {
  return (pageActions[pageType] ?? []).map(([name]) => name).filter((name) => !except.includes(name));
}

export function getMemberId(studio: number, member: number): string {
  return createId('member', studio * people.length + member);
}
