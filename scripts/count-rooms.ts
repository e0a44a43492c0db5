export interface Walk {
  readonly files: number;
  readonly rooms: number;
  /** How often a file that is entered for the first time lies in another room than the one before it. */
  readonly changes: number;
  /** One line per stay in a room, with the files that are new there. */
  readonly lines: readonly string[];
}

/** Counts the rooms of a walk. Folders in a room belong to it; the hall, where things are wired, is no room. */
export function countRooms(walk: readonly string[]): Walk {
  const stays: { room: string; files: string[] }[] = [];
  for (const path of walk) {
    const [, room, file] = /^(?:src\/(?=.*\/))?([^/]+)\/(.+)\.tsx?$/.exec(path) ?? [];
    if (room === undefined || file === undefined || room === 'src') continue;
    const last = stays.at(-1);
    if (last?.room === room) last.files.push(file);
    else stays.push({ room, files: [file] });
  }
  const widest = Math.max(...stays.map(({ room }) => room.length));
  return {
    files: stays.flatMap(({ files }) => files).length,
    rooms: new Set(stays.map(({ room }) => room)).size,
    changes: stays.length - 1,
    lines: stays.map(({ room, files }) => `${room.padEnd(widest)}  ${files.join(', ')}`),
  };
}
