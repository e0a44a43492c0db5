import { tell } from './story.ts';

export const climbing = tell(
  'climbing',
  `Weekend in {place} | slab, arête, roof, crack, traverse
  Who comes to {place} at the weekend? The forecast says dry from {day} on.
  {person} drives and has {small} seats, we meet in {street} at seven.
  I want to try the {thing} again that threw me off in spring.
  Hut is booked under {code}, {number} euros each, bring a sleeping bag.
  The {thing} went on the second try, skin is gone, happy.

  Fingers | left ring finger, elbow, shoulder, right wrist
  The {thing} still hurts when I crimp.
  Beatriz says: no fingerboard for {small} weeks, and easy slabs only.
  I bought the putty that {person} recommended, {number} squeezes twice a day.
  Better since {day}; I will start with the big holds.

  Lost and found: {thing} | red quickdraw, chalk bag, left shoe, belay device, head torch
  Somebody left a {thing} at the hall on {day}.
  It has the name {rare} on it, does anybody know who that is?
  It is mine! I can pick it up from {person}.
  It lies behind the counter, number {code}.

  New routes on the {thing} | overhang, kids' wall, competition wall, back room
  There are {number} new routes on the {thing} since {day}.
  The yellow one is soft for the grade, the black one is not.
  {person} set the blue one and is very proud of the third move.
  Nobody has topped it so far, I got to the lip.`,
);

export const travel = tell(
  'travel',
  `Train to {place} | window seat, bicycle place, night train, sleeping car
  The train to {place} leaves at seven past eight on {day}.
  I have the {thing}, booking {code}, and it cost {number} euros.
  {person} joins us {small} stops later with the sandwiches.
  We are forty minutes late, but nobody minds, the view is wonderful.

  {place}, what to see | old town, market hall, castle, botanical garden, harbour
  What should we see in {place}, if we only have {small} days?
  Go to the {thing} before ten, afterwards it is full.
  {person} lived there for years and says to eat in {street}, not at the square.
  The museum costs {number} euros and is closed on {day}.
  We did all of it except the museum, and I would go back at once.

  The suitcase | Oslo, Rome, Porto, Riga
  My suitcase went to {thing} without me.
  They gave me the number {code} and a toothbrush.
  It comes to the hotel on {day}, or so they say; {person} lends me a jumper.
  It is here, {number} hours later, with somebody else's ribbon on it.`,
);

export const music = tell(
  'music',
  `Concert on {day} | string quartet, brass band, choir from Tallinn, jazz trio
  There are two tickets left for the {thing} on {day}, {number} euros each.
  Take them! {person} heard them in {place} and could not stop talking about it.
  We meet at the entrance in {street} at half past seven.
  They played {small} encores, the last one without any light.

  Choir rehearsal | alto, second bass, Christmas concert, new piano
  There is an extra rehearsal on {day} because of the {thing}.
  We sing from bar {number}, please look at the German text before.
  {person} has a cold and only listens.
  It sounded like one voice for the first time, for about {small} bars.

  A record for you | piano sonatas, city pop, flamenco, field recordings
  I found a record with {thing} at the flea market in {street}.
  {small} euros, hardly a scratch, and the first owner wrote {rare} on the sleeve.
  I thought of you at once, {person} laughed at me.`,
);

export const reading = tell(
  'reading',
  `The book for {day} | lighthouse keeper, two sisters, long winter, map maker
  Have you finished the book about the {thing}? We meet on {day}.
  I am on page {number} and still do not like the uncle.
  {person} brings cake, and {other} has the film.
  The ending is the best of it, everybody agreed, except for {person}.

  Library | three novels, the atlas, the cookbook, the audio book
  The library wants {thing} back by {day}.
  I can renew it {small} times, unless a {rare} has asked for it.
  Brought back, {number} cents for being late.

  What to read on the train | crime novel, essays, a biography, poems
  I need something for the train to {place}, a {thing} perhaps?
  Take the thin green one that {person} gave me, you read it in {small} hours.
  Finished it before the border, thank you, I cried a little.`,
);
