import { describeTwoWorlds } from './describe-two-worlds.ts';

// G-04 G-08 G-09 G-10 G-15, in themes whose order of events does not matter.
describeTwoWorlds([
  ['plain', 30],
  ['scripts', 35],
  ['long texts', 20],
  ['declarations', 25],
  ['attachments', 20],
]);
