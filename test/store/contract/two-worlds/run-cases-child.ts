import { type Cases, runCases } from './run-cases.ts';

// Whoever started it hears of Ctrl-C too, and says what was done.
process.once('SIGINT', () => process.exit());
// Without its starter there is nobody to tell.
process.once('disconnect', () => process.exit());

await runCases(JSON.parse(process.argv[2] as string) as Cases, (one) => process.send?.(one));
process.exit();
