import { writeFileSync } from 'node:fs';
import { ANSWERS, recordAnswers } from './play.ts';

/** Writes the answers to all recorded requests again. README.md says when. */
const lines = await recordAnswers();
writeFileSync(ANSWERS, `${lines.join('\n')}\n`);
process.stdout.write(`${lines.length} requests recorded\n`);
