/** What the owner writes under a workout. */
export const workoutNotes = [
  'Sent the blue one on try {small}, fingers fine.',
  'Easy session with {person}, mostly slabs.',
  'Stopped early because of the left ring finger.',
  'New personal best on the fingerboard: {number} seconds.',
  'With {person} at the hall, {small} rounds of the circuit.',
  'Slept badly, so only the easy traverses.',
  'Overhangs until nothing was left, then {number} minutes of stretching.',
  'Trained with the club, {person} counted the pull-ups.',
] as const;

/** And under a night. */
export const sleepNotes = [
  'Slept badly, there was a party in the courtyard.',
  'Awake at {small} and could not fall asleep again.',
  'Window open, slept like a stone.',
  'Late dinner with {person}, short night.',
] as const;
