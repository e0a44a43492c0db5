import type { Guide, GuideClient, Step } from './connect-guide.ts';

/** The guide as Markdown, the same words as on the page. */
export function writeGuideMarkdown(guide: Guide): string {
  const { warning } = guide.reachability;
  return [
    '# Connect an AI app',
    'One address for every app. The app asks, you approve in the browser what it may read, and it reads no more than that.',
    fence(guide.mcp_url),
    ...(warning === null ? [] : [`> **${warning.title}** ${warning.text}`]),
    ...writeRecipes(guide),
    ...guide.clients.flatMap(writeClient),
    '## From a terminal',
    ...writeStep(guide.cli),
    '## For agents',
    ...writeStep(guide.agents),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Once, before the apps that need one of them. */
function writeRecipes({ recipes }: Guide): string[] {
  if (recipes.length === 0) return [];
  const ways = recipes.flatMap(({ title, steps }) => [`### ${title}`, ...steps.flatMap(writeStep)]);
  return ['## So that ChatGPT and Claude on the web get here', ...ways];
}

function writeClient(client: GuideClient): string[] {
  return [
    `## ${client.name}`,
    ...(client.verdict.works === 'yes' ? [] : [`> ${client.verdict.text}`]),
    ...client.steps.flatMap(writeStep),
    client.next,
    ...(client.otherwise.length === 0 ? [] : [`${client.otherwise_title}:`]),
    ...client.otherwise.flatMap(writeStep),
    ...(client.docs === null ? [] : [`More: <${client.docs}>`]),
  ];
}

function writeStep({ text, copy, link }: Step): string[] {
  const target = link === undefined ? '' : ` [${link.label}](${link.href})`;
  return [`${text}${target}`, ...(copy === undefined ? [] : [fence(copy)])];
}

function fence(text: string): string {
  return `\`\`\`\n${text}\n\`\`\``;
}
