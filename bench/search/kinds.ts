/** What a question of our own judged sets is there to try. */
export const KINDS = [
  'sentence',
  'word',
  'form',
  'compound',
  'typo',
  'name',
  'number',
  'address',
  'phrase',
  'cjk',
  'recency',
  'known-item',
] as const;

export type Kind = (typeof KINDS)[number];
