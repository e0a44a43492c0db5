/** Pieces of code and lists that stand in answers and issues. */
export const codeBlocks = [
  '```python\ndef moving_average(values, width):\n    for start in range(len(values) - width + 1):\n        yield sum(values[start:start + width]) / width\n```',
  "```sql\nSELECT merchant, SUM(amount) AS total\nFROM transactions\nWHERE date >= '2026-01-01'\nGROUP BY merchant\nORDER BY total\nLIMIT 10;\n```",
  '```ts\nexport function clamp(value: number, low: number, high: number): number {\n  return Math.min(high, Math.max(low, value));\n}\n```',
  '```bash\ngit bisect start\ngit bisect bad HEAD\ngit bisect good v1.4.0\ngit bisect run npm test\n```',
  '```c\nwhile (!(UCSR0A & (1 << UDRE0))) {\n  /* wait until the buffer is empty */\n}\nUDR0 = byte;\n```',
  '```json\n{ "gripper": { "force_n": 12.5, "width_mm": 84, "soft_stop": true } }\n```',
] as const;

export const questions = [
  'How do I {verb} the {focus} without touching the {noun}?',
  'Explain the difference between the {noun} and the {focus}.',
  'Give me a plan for the {focus}, {number} minutes a day.',
  'What would you say to somebody who wants to {verb} the {adjective} {noun}?',
  'Rewrite this so that it sounds friendlier: "{focus} is late again."',
  'Is it safe to {verb} the {focus} if the {noun} is {adjective}?',
  'Why is my {focus} {adjective}?',
  'Shorter, please.',
  'And what about the {noun}?',
  'Thanks, now the same for the {adjective} {noun}.',
] as const;

/** What somebody adds to a question. */
export const circumstances = [
  'I already tried to {verb} it once, without success.',
  'It worked until {day}.',
  'The {noun} is new, the {noun} is about {small} years old.',
  'I am a beginner, so please explain the {noun} as well.',
  'The result has to be ready on {day} and must not cost more than {number} euros.',
  'My friend {person} says the {adjective} {noun} is the reason.',
] as const;

export const answerOpenings = [
  'Good question.',
  'Here is a short plan.',
  'It depends on the {focus}.',
  'Yes, with one exception.',
  'In short: no.',
  'Let us go step by step.',
  'There are three things to consider.',
] as const;

export const errorLines = [
  "TypeError: Cannot read properties of undefined (reading '{noun}')",
  'panic: runtime error: index out of range [{number}] with length 3',
  'Segmentation fault (core dumped) in {noun}',
  'SQLITE_BUSY: database is locked, {number} retries',
  'Timeout of {number} s exceeded while waiting for the {noun}',
] as const;
