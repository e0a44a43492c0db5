import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb';
import { rolldown } from 'rolldown';
import { tools } from '../src/tools/index.ts';
import { readListing } from './listing.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Writes the files of the extension for Claude Desktop into a folder: a manifest, one script, an icon. */
export async function writeBundleFiles(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'server'), { recursive: true });
  const program = await rolldown({
    input: join(ROOT, 'src/cli/desktop/main.ts'),
    platform: 'node',
    tsconfig: join(ROOT, 'tsconfig.json'),
    checks: { ineffectiveDynamicImport: false },
  });
  await program.write({
    file: join(folder, 'server/index.js'),
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: false,
  });
  await program.close();
  const { name, version } = readListing();
  // The script reads its version from here.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, type: 'module' }));
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(makeManifest(), undefined, 2)}\n`);
  for (const file of ['mcpb/icon.png', 'mcpb/README.md', 'LICENSE', 'PRIVACY.md'])
    copyFileSync(join(ROOT, file), join(folder, basename(file)));
}

/** Packs the files of a folder. Returns the path of the bundle. */
export async function packBundle(folder: string, file: string): Promise<string> {
  const isPacked = await packExtension({ extensionPath: folder, outputPath: file, silent: true });
  if (!isPacked) throw new Error('The bundle could not be packed.');
  return file;
}

export function makeManifest() {
  const { name, version, description, license, repository, privacyPolicy } = readListing();
  return {
    manifest_version: '0.3',
    name,
    display_name: 'pdpp',
    version,
    description,
    long_description: readFileSync(join(ROOT, 'mcpb/long-description.md'), 'utf8').trim(),
    author: { name: 'The pdpp authors', url: repository },
    repository: { type: 'git', url: `${repository}.git` },
    documentation: `${repository}#readme`,
    support: `${repository}/issues`,
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: 'server/index.js',
      mcp_config: {
        command: 'node',
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: Claude Desktop fills these in
        args: ['${__dirname}/server/index.js', '${user_config.data_folder}'],
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: Claude Desktop fills these in
      },
    },
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
    keywords: ['personal data', 'mail', 'bank', 'health', 'search'],
    license,
    privacy_policies: [privacyPolicy],
    // No native module: one bundle for all platforms, run by the Node of Claude Desktop.
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.0.0' } },
    user_config: {
      data_folder: {
        type: 'directory',
        title: 'Data folder',
        description:
          'The folder in which pdpp stores your data. The extension finds the running server by it.',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Desktop fills it in
        default: '${HOME}/.pdpp',
        required: true,
      },
    },
  };
}
