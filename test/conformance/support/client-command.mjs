// What the suite runs for each scenario of a client: `pdpp connect URL`, in an empty folder, with what its
// user would know beforehand as options.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context, PDPP_CLI: cli } = process.env;

process.chdir(mkdtempSync(join(homedir(), 'client-')));
process.argv = [process.execPath, cli, 'connect', process.argv.at(-1), ...chooseOptions()];
await import(pathToFileURL(cli).href);

function chooseOptions() {
  if (scenario === 'auth/basic-cimd') {
    // The only document that the scenario takes, by its documentation.
    return ['--client-id', 'https://conformance-test.local/client-metadata.json'];
  }
  if (scenario === 'auth/pre-registration') {
    const { client_id, client_secret } = JSON.parse(context);
    writeFileSync('secret', client_secret);
    return ['--client-id', client_id, '--client-secret-file', 'secret'];
  }
  return [];
}
