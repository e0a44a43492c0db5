import type { Person } from '../texts/people.ts';
import type { Channel, Workspace } from '../texts/workspaces.ts';
import { writeEmittedAt, writeIso } from '../timeline.ts';
import type { GeneratedLine } from '../types.ts';

export const createChannelId = (workspace: Workspace, index: number) =>
  `C0${workspace.prefix}${1024 + index * 37}`;
export const createUserId = (workspace: Workspace, index: number) =>
  `U0${workspace.prefix}${2048 + index * 53}`;

/** Slack's own message id: seconds, and digits that no other message of the second has. */
export function createTs(at: number, talk: number, position: number): string {
  const digits = (talk * 16 + position) % 1_000_000;
  return `${Math.floor(at / 1000)}.${String(digits).padStart(6, '0')}`;
}

export function createKey(
  workspace: Workspace,
  channel: number,
  at: number,
  talk: number,
  position: number,
): string {
  return `["${createChannelId(workspace, channel)}","${createTs(at, talk, position)}"]`;
}

export function createChannelLine(
  workspace: Workspace,
  channel: Channel,
  index: number,
  opened: number,
): GeneratedLine {
  const [name, purpose, , is_private] = channel;
  const id = createChannelId(workspace, index);
  const at = opened + index * 3_600_000;
  const member_count = is_private ? 5 : workspace.members.length + 1;
  const data = { id, name, purpose, is_private, member_count, created_at: writeIso(at) };
  return { key: id, data, emitted_at: writeEmittedAt(at) };
}

export function createUserLines(workspace: Workspace, members: Person[], opened: number): GeneratedLine[] {
  const emitted_at = writeEmittedAt(opened);
  const lines = members.map((person, index): GeneratedLine => {
    const { name, handle, role: title, email } = person;
    const id = createUserId(workspace, index);
    return {
      key: id,
      data: { id, name, handle, title, email, time_zone: 'Europe/Berlin', is_bot: false },
      emitted_at,
    };
  });
  const id = createUserId(workspace, members.length);
  const bot = {
    id,
    name: workspace.bot,
    handle: workspace.bot,
    title: null,
    email: null,
    time_zone: 'Etc/UTC',
  };
  return [...lines, { key: id, data: { ...bot, is_bot: true }, emitted_at }];
}
