import { tell } from './story.ts';

/** What newsletters and offices write, by the part of life they are about. */
export const news = [
  tell(
    'robotics',
    `This week: a robot that folds {thing} | towels, letters, tents, umbrellas
  This week: a robot from {place} that folds {thing}, slowly, but without ever giving up.
  We asked {rare}, who built it, what took {number} months: the corners, always the corners.
  Also in this issue: how a warehouse got rid of its last {small} ladders.
  The meet-up is on {day}, and the door is open from seven.`,
  ),
  tell(
    'software',
    `Changelog digest {code} | date library, compiler, terminal, package manager
  The new {thing} is out and starts {small} times as fast.
  The long read is about a bug that took {number} years to find: a comma.
  {rare} shows how to delete half of a test suite and sleep better.`,
  ),
  tell(
    'cooking',
    `{thing} in season | Asparagus, Pumpkin, Quince, Rhubarb, Beetroot
  {thing} is in season, and the market in {place} is full of it.
  Our recipe of the week takes {number} minutes and one pan.
  Reader {rare} asks why the dough tears: it is cold, let it rest for {small} hours.
  On {day} we cook together online, camera optional.`,
  ),
  tell(
    'climbing',
    `Crag letter: {place} | limestone, granite, sandstone
  The crag of the month is {place}: {thing}, {number} routes, ten minutes from the station.
  Please stay off the left sector until {day}, the falcons are nesting.
  {rare} has written the new guidebook and answers questions on {day}.`,
  ),
  tell(
    'nature',
    `How the {thing} got its name | dragonfly, glacier, comet, octopus, lynx
  How the {thing} got its name is a longer story than you think, and it begins in {place}.
  Count the birds in front of your window for one hour on {day}: {number} thousand people took part last year.
  The picture of the week was taken by {rare}, lying in the mud for {small} hours.`,
  ),
  tell(
    'music',
    `New and used vinyl | piano trios, Ethiopian jazz, lullabies
  {number} boxes of {thing} came in this week, from one collection in {place}.
  Our tip is the third one from the left, and no, we will not say more.
  On {day} {rare} plays in the shop, it is free and there are {small} chairs.`,
  ),
  tell(
    'reading',
    `Quiet pages: a {thing} | short novel, book of letters, diary, first translation
  Our book of the month is a {thing} of {number} pages, and none of them is too many.
  {rare} reads from it in {place} on {day}; seats are free, come early.
  The second half of this letter is for those who like {small} endings better than one.`,
  ),
  tell(
    'travel',
    `Three days in {place} | by train, off season, with children, on foot
  Three days in {place}, {thing}: where to sleep, what to leave out, which bakery to trust.
  A night in the old mill costs {number} euros, breakfast with {rare} is included.
  New: the night train stops there again, {small} times a week.`,
  ),
  tell(
    'money',
    `Your statement is ready | current account, savings account, credit card
  The statement of your {thing} is ready.
  You can find it in your mailbox at the bank under {code}.
  From {day} on, transfers within Europe arrive within {small} minutes.
  We never ask for your password by mail.`,
  ),
  tell(
    'health',
    `Reminder: {thing} on {day} | dental cleaning, check-up, vaccination
  This is a reminder of your {thing} on {day} at {small} o'clock.
  If you cannot come, please call us {number} hours before.
  You find us in {street}, on the second floor, there is a lift.`,
  ),
];
