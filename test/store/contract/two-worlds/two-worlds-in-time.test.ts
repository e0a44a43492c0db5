import { describeTwoWorlds } from './describe-two-worlds.ts';

// Themes in which it matters what happens when, and names. A file of their own, so that two cores share the work.
describeTwoWorlds([
  ['wandering', 50],
  ['wide numbers', 25],
  ['names and units', 50],
  ['a crowded minute', 4],
  ['a hidden library', 4],
  ['arrivals between pages', 1],
]);
