import { describeTwoWorlds } from './describe-two-worlds.ts';

// Themes in which what happens when matters. A file of their own, so that two cores share the work.
describeTwoWorlds([
  ['wandering', 50],
  ['wide numbers', 25],
  ['a crowded minute', 2],
  ['a hidden library', 4],
]);
