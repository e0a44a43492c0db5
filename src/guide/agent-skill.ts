import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Written instructions for agents that use this server. */
interface AgentSkill {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

/** The skill that comes with the program; without the file there is none to offer. */
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

/** One line of the front matter. */
function readProperty(text: string, name: string): string {
  const head = /^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? '';
  const value = new RegExp(`^${name}:[ ]*(.+)$`, 'm').exec(head)?.[1];
  if (value === undefined) throw new Error(`the skill does not say its ${name}`);
  return value.trim().replace(/^(["'])(.*)\1$/, '$2');
}

/** Agent Skills Discovery 0.2.0: what is offered, where, and how to tell that it arrived whole. */
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
