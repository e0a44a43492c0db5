/** What people say when the matter is settled. */
export const asides = [
  'Sounds good to me.',
  'See you on {day}!',
  'Sorry for the late answer, the week was full.',
  'Thank you, that is very kind of you.',
  'Could you call {person}? The number is in the old mail.',
  'I will write again on {day}.',
  'Yes, exactly, that is what I meant.',
  'No hurry, any time before {day} is fine.',
  'By the way, {person} says hello.',
  'Shall we talk about it over a coffee?',
  'I have put everything into the shared folder.',
  'What happened in the end?',
  'All good here, only tired.',
  'Great, then we leave it like that.',
] as const;

export const openings = [
  'Hi {person},',
  'Hello {person},',
  'Dear {person},',
  'Hey {person}!',
  'Good morning {person},',
];
export const closings = [
  'Best,',
  'See you,',
  'Love,',
  'Thanks,',
  'Cheers,',
  'All the best,',
  'Kind regards,',
  'Hugs,',
];

export const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export const emoji = [
  '🧗',
  '🎉',
  '👍',
  '😂',
  '☕',
  '🚲',
  '🌧️',
  '🏔️',
  '❤️',
  '🙏🏽',
  '👩‍🔬',
  '🍜',
  '🎶',
  '🤖',
  '✨',
  '🥨',
];
