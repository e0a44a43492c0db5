import { tell } from './story.ts';

export const home = tell(
  'home',
  `The {thing} again | boiler, washing machine, bathroom tap, radiator in the hallway, intercom, dishwasher
  The {thing} has been broken since {day}, and the landlord does not pick up the phone.
  I called the plumber from {street}, he can come tomorrow between eight and twelve.
  Could you let him in? The spare key is with {person}.
  He was here: a seal for {small} euros and {number} euros for the journey.
  The invoice is {code}, I have sent it to the landlord.

  {thing} for sale | Wooden desk, Yellow armchair, Bookcase, Child's bicycle, Floor lamp
  I want to sell the old one in the hallway before the new one arrives.
  {thing}, a few scratches, {number} euros, pick-up in {street}.
  {person} would take it, but only if we carry it down all {small} floors.
  Sold to a {rare}, who comes on {day} with a trolley.

  Key handover on {day} | cellar, letterbox, front door, bicycle shed
  We go to {place} for {small} days, could you water the plants?
  The keys are with {person}; the small one is for the {thing}.
  The tomatoes need water every day, the cactus none at all.
  Everything is alive, and there is a parcel for you on the table.

  Noise on the {thing} | third floor, staircase, courtyard, floor below
  Did you hear the noise on the {thing} last night? It went on until two.
  I left a friendly note with my number on it.
  It was the {rare} family, they had a baby and say sorry in advance.`,
);

export const cooking = tell(
  'cooking',
  `Recipe: {thing} | frittata, hazelnut cake, lentil stew, sourdough bread, lemon meringue pie, paella, rhubarb crumble, ramen
  Here is the recipe for the {thing} that you liked so much.
  You need one big bowl and nothing that you do not have at home.
  Bake it for {number} minutes and leave it alone until it is cold, that is the hard part.
  {person} uses half the sugar, and I think that is better.
  We made it on {day}: gone within a quarter of an hour.

  Dinner on {day} | soup, curry, gnocchi, pizza, dumplings
  Do you have time for dinner on {day}? I would make {thing}.
  We are {small}, and {person} does not eat nuts.
  I bring dessert and a bottle from {place}.
  Thank you for the evening! The {thing} was the best I had this year.

  Lunch today | Vietnamese place, canteen, falafel shop, soup kitchen
  Who comes for lunch at half past twelve?
  I vote for the {thing} in {street}, they have {number} seats and a good lunch menu.
  I am in, and {person} too.
  Full, we sit outside in {small} minutes.`,
);

export const family = tell(
  'family',
  `Grandmother's birthday | cake, photo album, train tickets, flowers
  Grandmother turns eighty on {day}, and {number} people come.
  {person} takes care of the {thing}, I book the room at the inn in {street}.
  We arrive from {place} on the evening before and need a bed for two.
  She cried when she saw the {thing}, and then she danced until eleven.

  The baptism in {place} | godmother, readings, lunch, choir
  The baptism in {place} is on {day} at eleven.
  They asked me about the {thing}, and I said yes before I had thought about it.
  {person} drives, there is one seat left in the car.
  Lunch is for {number} people in the garden, if the rain holds off.

  Father's knee | operation, crutches, rehabilitation, second opinion
  Father was at the hospital in {place} because of the knee.
  The {thing} is on {day}; he is calmer than all of us.
  {person} stays with him for {small} days, then it is my turn.
  He walks to the baker and back again, and complains about the bread.`,
);

export const garden = tell(
  'garden',
  `The bed that survived the frost | leek, kale, rosemary, strawberries, garlic
  The bed under the fleece survived the frost, everything else is gone.
  The {thing} looks as if nothing had happened.
  I put {number} new plants in on {day}, from the nursery in {street}.
  {person} has a barrel for rain water to give away.

  Tomatoes | Ox heart, Black cherry, San Marzano, Green zebra
  The first {thing} is ripe, {small} weeks earlier than last year.
  We have {number} plants on the balcony and no idea who will eat all that.
  {person} takes a basket on {day}, in return for honey.
  The sensor says the third pot is too dry, and the sensor is right.

  Working day at the allotment | fence, compost, shed, apple tree
  The working day at the allotment is on {day} from nine.
  We do the {thing} this time; gloves are in the shed.
  Each of us owes the club {small} hours a year, {person} has done none so far.
  {number} wheelbarrows later I cannot feel my arms.`,
);
