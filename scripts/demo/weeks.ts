/** The weeks of the data set: a year before the week of its end, and that week. */
export const WEEKS: readonly number[] = Array.from({ length: 53 }, (_, index) => index - 52);

const ordinal = (week: number, day: number) => week * 7 + day;

type Day = readonly [week: number, day: number];

const within = (from: Day, to: Day) => (week: number, day: number) =>
  ordinal(week, day) >= ordinal(...from) && ordinal(week, day) <= ordinal(...to);

/** Two weeks in Valencia and Dénia. */
export const isInSpain = within([-18, 6], [-16, 6]);
const isFirstInCopenhagen = within([-36, 2], [-36, 4]);
const isAgainInCopenhagen = within([3, 1], [3, 3]);
/** Two customer visits, of which one lies ahead. */
export const isInCopenhagen = (week: number, day: number) =>
  isFirstInCopenhagen(week, day) || isAgainInCopenhagen(week, day);
/** Four days of bouldering. */
export const isInFontainebleau = within([-27, 4], [-27, 7]);
/** Two weekends at her mother's. */
const isFirstInLubeck = within([-47, 6], [-47, 7]);
const isAgainInLubeck = within([-1, 6], [-1, 7]);
export const isInLubeck = (week: number, day: number) =>
  isFirstInLubeck(week, day) || isAgainInLubeck(week, day);
/** A cold. */
export const isIll = within([-41, 1], [-41, 5]);

/** Whether Nora sleeps elsewhere than in Hamburg that night or travels that day. */
export const isAway = (week: number, day: number) =>
  isInSpain(week, day) || isInCopenhagen(week, day) || isInFontainebleau(week, day) || isInLubeck(week, day);

/** Whether the family is away together, so that nobody shops in Hamburg. */
export const isFamilyAway = (week: number, day: number) => isInSpain(week, day) || isInLubeck(week, day);

/** Whether Nora is in the office. She has a day off in the last week, at home. */
export const isInOffice = (week: number, day: number) =>
  day <= 5 && !isAway(week, day) && !isIll(week, day) && !(week === 0 && day === 3);

/** Tuesdays on which she did not go climbing although she was in Hamburg. */
const skipped = [-46, -41];
export const isBouldering = (week: number) => !isAway(week, 2) && !skipped.includes(week);
