import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Instructions for agents that use this server. */
interface AgentSkill {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

/** Loads the bundled skill. Returns undefined if the file is missing. */
export function loadSkill(
  file = new URL('../../skills/pdpp/SKILL.md', import.meta.url),
): AgentSkill | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return { name: readProperty(text, 'name'), description: readProperty(text, 'description'), text };
}

/** Reads a property of the front matter. */
function readProperty(text: string, name: string): string {
  const head = /^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? '';
  const value = new RegExp(`^${name}:[ ]*(.+)$`, 'm').exec(head)?.[1];
  if (value === undefined) throw new Error(`the skill has no ${name}`);
  return value.trim().replace(/^(["'])(.*)\1$/, '$2');
}

/** Returns the index of Agent Skills Discovery 0.2.0, with digests. */
export function describeSkills(skill: AgentSkill | undefined) {
  const skills = skill === undefined ? [] : [skill];
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: skills.map(({ name, description, text }) => ({
      name,
      type: 'skill-md',
      description,
      url: `/.well-known/agent-skills/${name}/SKILL.md`,
      digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
    })),
  };
}
