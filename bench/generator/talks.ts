import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';
import type { Trip } from './trips.ts';

/** A thread, chat or issue before it has words: when each of its messages is written, oldest first. */
export interface Talk {
  index: number;
  times: number[];
  /** The journey it is about, if it is about one. */
  trip?: Trip;
}

export interface Turn<T extends Talk> {
  talk: T;
  position: number;
  at: number;
}

interface TalkOptions {
  timeline: Timeline;
  /** Records to spend. */
  budget: number;
  /** Records a talk costs besides its messages: 1 when the talk is a record of its own. */
  overhead: number;
  drawSize: (random: Random) => number;
  /** Typical time between two messages. */
  gap: number;
}

/** Talks that use up the budget exactly, spread over the timeline. */
export function planTalks(random: Random, options: TalkOptions): Talk[] {
  const { timeline, overhead, drawSize, gap } = options;
  const sizes: number[] = [];
  for (let left = options.budget; left > 0; ) {
    const size = Math.min(drawSize(random), left - overhead);
    if (size > 0) sizes.push(size);
    else if (sizes.length > 0) sizes[sizes.length - 1] = (sizes.at(-1) as number) + left;
    left -= size > 0 ? size + overhead : left;
  }
  return sizes.map((size, index) => {
    let at = timeline.at((index + random.next()) / sizes.length);
    const times = [at];
    while (times.length < size) {
      at = Math.min(
        timeline.end,
        skipNight(at + Math.floor(gap * (0.1 + 3 * random.next() * random.next()))),
      );
      times.push(at);
    }
    return { index, times };
  });
}

/** What would be written between midnight and six is written after breakfast. */
function skipNight(at: number): number {
  return at % 86_400_000 < 21_600_000 ? at + 25_200_000 : at;
}

/** Makes the first free talk from `moment` on one about the trip. Small sets have none to spare. */
export function claimTalk<T extends Talk>(talks: T[], trip: Trip, moment: number): T | undefined {
  if (talks.length < 60) return undefined;
  let index = talks.findIndex((talk) => (talk.times[0] as number) >= moment);
  while (index >= 0 && talks[index]?.trip) index++;
  const talk = talks[index];
  if (talk) talk.trip = trip;
  return talk;
}

/** Every message of every talk in the order of time. */
export function orderTurns<T extends Talk>(talks: T[]): Turn<T>[] {
  const turns = talks.flatMap((talk) => talk.times.map((at, position) => ({ talk, position, at })));
  return turns.sort((one, other) => one.at - other.at);
}
