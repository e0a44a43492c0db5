import { tell } from './story.ts';

export const health = tell(
  'health',
  `Appointment on {day}: {thing} | eye test, blood test, vaccination, check-up, physiotherapy
  Your appointment for the {thing} is on {day} at ten past nine.
  Please bring the insurance card and come {number} minutes early.
  If you cannot come, call the practice in {street} two days before.
  The result of your {thing} is here, and there is nothing to worry about.

  The back | swimming, new mattress, standing desk, stretching
  I slept {small} hours because of the back.
  What helped me was {thing}, {number} minutes a day, for real.
  {person} knows a physiotherapist in {street} who takes new patients.
  It is better since {day}, I can tie my shoes again.

  Running again | lake, canal, park, stadium
  First run since the flu: {small} kilometres around the {thing}, very slow.
  Pulse was {number} higher than usual, so I walked the last part.
  {person} joins me on {day}, if it does not rain.`,
);

export const money = tell(
  'money',
  `Invoice {code} | electricity, dentist, bicycle repair, translation, tent
  Invoice {code} for the {thing} is still open.
  It is over {number} euros, and I am sure that I have paid it.
  The transfer went to the old account; {person} found it at once.
  They sent the money back on {day}, so I have paid it again.

  Who owes whom | hut, petrol, groceries, theatre tickets
  I paid {number} euros for the {thing} in {place}, we were {small}.
  {person} has already given me the share in cash.
  Please transfer the rest by {day}, then the list is empty.
  The list is empty, thank you all.

  The tax return | travel costs, home office, donations, course fees
  I have to hand in the tax return by {day} and miss the receipts for the {thing}.
  They are in the blue folder, {person} sorted it in spring.
  We get {number} euros back, reference {code}. Not bad for one evening.`,
);

export const nature = tell(
  'nature',
  `The {thing} is back | kingfisher, beaver, swift, dragonfly, owl
  The {thing} is back at the canal, I saw it on {day}.
  {person} has a photo of it, slightly blurred, but it counts.
  Last year it came {small} days later, I write it down every time.

  Telescope night in {place} | Saturn, comet, moon, Andromeda galaxy
  The observatory in {place} is open on {day} from nine.
  With some luck we see the {thing}, it stands {number} degrees above the roofs.
  {person} brings the small telescope and I bring tea.
  Clouds until eleven, and then {small} minutes of the {thing}. Worth it.`,
);
