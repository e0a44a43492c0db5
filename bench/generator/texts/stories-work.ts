import { tell } from './story.ts';

export const robotics = tell(
  'robotics',
  `Why the {thing} failed on {day} | gripper, wrist joint, gearbox, encoder, conveyor, suction cup
  The {thing} ran for {number} hours on {day} and then stopped with a bang.
  {person} took it apart: the bearing behind it was dry, and there is {small} millimetres of play now.
  The supplier in {street} has the part as {code} and can send it within a week.
  Until it is here we run the arm at half speed, otherwise we damage the housing as well.
  The customer in {place} knows about it and is not worried, but wants a report.
  I will write the report as soon as {other} has the photos.

  Firmware {code} on the test rig | motor, brake, thermal camera, lidar, battery
  Firmware {code} is on the test rig since this morning.
  The {thing} no longer drops out when the floor is wet, which was the whole point.
  We lost about {small} percent of battery life, {person} thinks that can be won back.
  Please do not flash the second robot before {day}, we want to compare them.
  Numbers are in the shared folder; {rare} from the certification office wants a copy too.

  Field trial in {place} | pallet, shipping crate, barcode reader, docking station
  The field trial in {place} starts on {day} at eight.
  {person} drives the van with both robots, {other} takes the train.
  The hall has {number} metres of racking and one {thing} that is not on our map.
  Last time the emergency button hung too high, so bring the long bracket.
  If we pick four hundred boxes without help, they sign.
  Result of the day: {number} stops, all but two of them people standing in the way.

  Photos of the loose {thing} | gripper, cable, camera mount, charger, heat sink
  I put photos of the loose {thing} into the channel.
  You can see that the screw has walked out by about {small} turns.
  {person}, can you glue the thread on all {number} units before they ship?
  Part number is {code}, we have enough of it on the shelf next to the window.
  Done, and I marked each of them with a dab of red paint.`,
);

export const software = tell(
  'software',
  `Flaky {thing} test on main | login, export, route planner, quadtree, stemmer, time zone
  The {thing} test fails about once in {number} runs on main.
  It is a race: the fixture is read before the second worker has written it.
  I can reproduce it with commit {code} and a slow disk.
  {person} had the same last spring and fixed it by waiting for the file instead of for a second.
  Fixed in {code}, it ran two hundred times over night without a failure.

  Release on {day} | database migration, certificate, cache, retry queue
  I would like to release on {day} before lunch.
  Still open: the {thing}, and the text of the changelog.
  {person} takes the {thing}; it needs about {small} hours and can be rolled back.
  Customers in {place} should not notice anything, but let us tell support anyway.
  Released as {code}. Errors are flat, and the median answer is {number} milliseconds faster.

  Crash when the {thing} is empty | route list, search index, playlist, shopping list, device name
  The app crashes when the {thing} is empty.
  Steps: start it for the first time, skip the introduction, tap on the second tab.
  The stack trace ends in the renderer, yet the cause is that we treat nothing as an error.
  It is a one-line fix, but I would like a test for it; {person}, is that all right for you?
  Merged. The crash reports for it were {number} last week, I will look again on {day}.

  The database was slow on {day} | backup, report, import, index
  From ten to half past eleven on {day} every page took more than {small} seconds.
  The nightly {thing} had not finished and held a lock until somebody killed it.
  {person} moved it to four in the morning, and we have an alert for it now.
  Should we write this up for everybody? It is the third time this year.
  Written up as {code}, two pages, with the graph.`,
);

export const planning = tell(
  'planning',
  `Moving the {thing} to {day} | budget review, roadmap meeting, customer demo, supplier audit, kick-off
  Can we move the {thing} to {day}? {person} is in {place} until then.
  Works for me, if it is over before three: I have to pick up the car.
  I have booked the small room for {number} minutes, which should be enough for one decision.
  {other} sends the slides the evening before.
  Short summary: we go ahead, we review again in {small} weeks, and {person} writes to the customer.

  Offer for {place} | two robots, a pilot, the maintenance contract, spare parts
  The customer in {place} asked for an offer for {thing} by {day}.
  I would start at {number} thousand euros and leave room for the installation.
  Legal wants {small} small changes in the warranty clause, none of them serious.
  {person} has a contact there, a {rare}, who decides in the end.
  They accepted it under reference {code}. Well done, everybody!

  Holidays in the summer | August, the second half of July, the week of the trade fair
  Please enter your holidays for {thing} until {day}.
  I would like to be away for {small} weeks; {person} covers the on-call phone.
  Somebody has to be in the lab when the crate from {place} arrives.
  {other} and I swap, so the lab is covered.`,
);

export const hiring = tell(
  'hiring',
  `Interview on {day}: {rare} | controls, vision, field service, backend
  {rare} comes for the {thing} role on {day} at ten.
  The first call with {person} went well: curious, honest about what she has not done yet.
  Please ask about the last project in {place}, and leave ten minutes for questions.
  I would hire her even without the degree.
  The offer went out with a start in {small} months; she has until {day} to think about it.

  Welcome, {rare}! | laptop, badge, desk by the window, bicycle
  {rare} starts on {day}, please say hello.
  The {thing} is ordered under {code}, {person} shows the building.
  Team lunch is at half past twelve, and we are {number} people, so I booked both tables.

  Applications for the open role | controls, vision, field service, backend
  We have {number} applications for the {thing} role, of which {small} look really good.
  {person} reads the first half, I read the second, and we compare on {day}.
  Four of them come by referral; {other} knows the one from {place}.`,
);
