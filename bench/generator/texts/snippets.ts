/** Pieces of code and lists that stand in answers and issues. */
export const codeBlocks = [
  '```python\ndef moving_average(values, width):\n    for start in range(len(values) - width + 1):\n        yield sum(values[start:start + width]) / width\n```',
  "```sql\nSELECT merchant, SUM(amount) AS total\nFROM transactions\nWHERE date >= '2026-01-01'\nGROUP BY merchant\nORDER BY total\nLIMIT 10;\n```",
  '```ts\nexport function clamp(value: number, low: number, high: number): number {\n  return Math.min(high, Math.max(low, value));\n}\n```',
  '```bash\ngit bisect start\ngit bisect bad HEAD\ngit bisect good v1.4.0\ngit bisect run npm test\n```',
  '```c\nwhile (!(UCSR0A & (1 << UDRE0))) {\n  /* wait until the buffer is empty */\n}\nUDR0 = byte;\n```',
  '```json\n{ "gripper": { "force_n": 12.5, "width_mm": 84, "soft_stop": true } }\n```',
] as const;

export const errorLines = [
  "TypeError: Cannot read properties of undefined (reading 'name')",
  'panic: runtime error: index out of range [{number}] with length 3',
  'Segmentation fault (core dumped) in read_frame',
  'SQLITE_BUSY: database is locked, {number} retries',
  'Timeout of {number} s exceeded while waiting for the {thing}',
] as const;
