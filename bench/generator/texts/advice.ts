import { tell } from './story.ts';

/** Conversations with an assistant, by topic. The first line is the question; the others are answers to it. */
export const advice = [
  tell(
    'software',
    `Find a slow query | orders, events, messages
  My query on a table of {number} million {thing} takes {small} seconds. Where do I look first?
  Ask the database for its plan, and look for a scan over the whole table.
  If the filter is on a column without an index, an index on it is most of the answer.
  Check that both sides have the same type: a text compared with a number uses no index at all.
  Measure again with the cache warm, because the first run is always the slowest.

  Write a test for time zones | Berlin, Tokyo, Lima
  How do I test code that depends on the day in {thing}?
  Pass the clock in as an argument instead of asking for it in the middle of the function.
  Then write one test just before midnight and one just after it.
  Add the {small} days on which the clocks change, they find most of the mistakes.`,
  ),
  tell(
    'robotics',
    `Tune a controller | gripper, wheel, arm
  The {thing} overshoots by {number} degrees. How do I tune the controller?
  Begin with the proportional part alone, and raise it until it just begins to swing.
  Take back a third of it, and add the derivative part until the swing is gone.
  The integral part comes last, and only as much as the remaining error needs.
  Write every value down, so that you can go back.`,
  ),
  tell(
    'cooking',
    `Why is my {thing} flat | sourdough bread, meringue, brioche
  My {thing} comes out flat. What am I doing wrong?
  Most often it has rested too long: press it with a finger, and it should come back slowly.
  If your kitchen has more than 24 degrees, shorten the rest by {small}0 minutes.
  A hot oven matters as well; let it heat for {number} minutes longer than it says.

  A menu for {number} guests | vegetarian, without nuts, for children
  I need a menu for {number} guests, {thing}, and I have one oven. Ideas?
  Choose a starter that stands cold, so that the oven is free.
  A lentil stew can be made the day before and is better for it.
  For dessert, put out fruit and a hazelnut cake; nobody will ask for more.`,
  ),
  tell(
    'health',
    `Sleeping badly | coffee, screens, late training
  I have slept badly for {small} weeks. Could it be the {thing}?
  It could. Leave it out after four o'clock for ten days, and keep a sleep diary.
  Get up at the same time every day, also after a bad night.
  If it has not changed after that, or if you are short of breath at night, see a doctor.`,
  ),
  tell(
    'climbing',
    `A plan for stronger fingers | beginner, after a break, twice a week
  Make me a training plan for stronger fingers: {thing}, {number} minutes a time.
  Warm up for fifteen minutes on big holds, until your hands are really warm.
  Then hang {small} times for ten seconds on the fingerboard, with three minutes of rest between.
  Stop at the first sharp pain, and rest for two days between the sessions.`,
  ),
  tell(
    'money',
    `What can I deduct | home office, train to work, language course
  Can I deduct the {thing} from tax in Germany? It cost me {number} euros a month.
  In general yes, as costs of your work, if you can show that you need it for the work.
  Keep the receipts, and write down on which days you used it.
  I am not a tax adviser, so please check the limit for this year.`,
  ),
  tell(
    'travel',
    `Packing for {place} | in March, with hand luggage only, for a hike
  I go to {place} {thing} for {small} days. What do I pack?
  Think in layers: two shirts, one jumper, one jacket that keeps out the rain.
  Shoes weigh the most, so wear the heavy pair and pack the light one.
  Leave {number} percent of the bag empty for the way back, you will buy something.`,
  ),
  tell(
    'nature',
    `What is this bird | brown with a white chest, black with a yellow beak, small and very loud
  I saw a bird on the balcony: {thing}. What is it?
  From that alone I can only guess; where you live a blackbird or a wren would fit.
  Listen to it: a wren is {small} times as loud as you would think.
  A photo, even a bad one, would settle it.`,
  ),
  tell(
    'reading',
    `A book like the last one | a family over three generations, the sea, a slow mystery
  I liked a novel about {thing}. What should I read next?
  Tell me whether you liked the people or the place, then I can choose better.
  If it was the place, take something translated: new names, the same weather.
  Give it {number} pages; if it does not hold you by then, let it go.`,
  ),
  tell(
    'garden',
    `Yellow leaves on the {thing} | tomato, lemon tree, basil
  The {thing} on my balcony has yellow leaves. Too much water?
  Probably. Put a finger into the soil: if it is wet {small} centimetres down, wait.
  Lower leaves that turn yellow first speak for too little nitrogen instead.
  Move it out of the wind and look again in {number} days.`,
  ),
];

/** What is asked after the first answer, and how that is answered. */
export const followUps = [
  ['Shorter, please.', 'In one sentence: do the first thing on the list, and leave the rest for next week.'],
  ['Why is that?', 'Because the first step changes all the others, and you would do them twice.'],
  ['Thanks, that helped!', 'Glad to hear it. Write again when you have tried it.'],
  [
    'And if that does not work?',
    'Then undo it and tell me what you saw; the next guess will be a better one.',
  ],
  ['Can you make a list of it?', 'One thing today, one at the weekend, and a look at the result after that.'],
] as const;

/** What an assistant says about a place that somebody travels to. */
export const tripAnswers = [
  'Begin with the old quarter of {place} before ten, while it is still quiet, and walk; most of it is close together.',
  'Eat where the menu has one page and people talk to the waiter; in {street} there are several such places.',
  'Keep one of the {small} evenings free, the best one is usually the one that nobody has planned.',
] as const;
