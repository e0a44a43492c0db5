import { cpSync, existsSync } from 'node:fs';

// What the compiler leaves behind and the program reads at run time. Takes the folder of the build.
const [to = 'dist'] = process.argv.slice(2);
for (const file of [
  'dashboard/style.css',
  'dashboard/script.js',
  'dashboard/icon.svg',
  'src/demo/demo.ndjson.gz',
]) {
  cpSync(file, `${to}/${file}`);
}
// A package without the skill still starts; it only has none to offer.
if (existsSync('skills')) cpSync('skills', `${to}/skills`, { recursive: true });
