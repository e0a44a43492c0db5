/** A file that a walk has entered for the first time, and by which files of ours, the nearest first. */
export interface Entry {
  readonly file: string;
  readonly callers: readonly string[];
}

export interface Walk {
  readonly files: number;
  readonly rooms: number;
  /** How often a file calls one of another room that was not entered before. */
  readonly changes: number;
  /** One line per stay in a room, with the files that are new there, below the stay that it was entered from. */
  readonly lines: readonly string[];
}

interface Stay {
  readonly room: string;
  readonly files: string[];
  readonly within: Stay[];
}

/** A call into one of these comes straight back: they call nothing of ours above them. They are listed beside the walk. */
const SMALL_ROOMS = new Set(['store', 'text', 'time', 'words', 'limits', 'secrets']);

/**
 * Counts the changes of room of a walk: each going in, and no coming back. Folders in a room belong to it; the hall,
 * where things are wired, is no room.
 */
export function countRooms(walk: readonly Entry[]): Walk {
  const stays = new Map<string, Stay>();
  const beside: string[] = [];
  let first: Stay | undefined;
  for (const { file, callers } of walk) {
    const [room, name] = placeOf(file);
    if (room === undefined || name === undefined) continue;
    if (SMALL_ROOMS.has(room)) {
      beside.push(`${room}/${name}`);
      continue;
    }
    const from = callers.map((caller) => stays.get(caller)).find((stay) => stay !== undefined) ?? first;
    const stay = from?.room === room ? from : { room, files: [], within: [] };
    if (stay !== from) from?.within.push(stay);
    stay.files.push(name);
    stays.set(file, stay);
    first ??= stay;
  }
  const all = [...new Set(stays.values())];
  const tell = ({ room, files, within }: Stay, depth: number): string[] => [
    `${'  '.repeat(depth)}${room}  ${files.join(', ')}`,
    ...within.flatMap((stay) => tell(stay, depth + 1)),
  ];
  return {
    files: stays.size + beside.length,
    rooms: new Set([...all.map(({ room }) => room), ...beside.map((file) => file.split('/')[0])]).size,
    changes: all.length - 1,
    lines: [
      ...(first === undefined ? [] : tell(first, 0)),
      ...(beside.length > 0 ? [`beside  ${beside.join(', ')}`] : []),
    ],
  };
}

function placeOf(path: string): [room?: string, file?: string] {
  const [, room, file] = /^(?:src\/(?=.*\/))?([^/]+)\/(.+)\.tsx?$/.exec(path) ?? [];
  return room === undefined || file === undefined || room === 'src' ? [] : [room, file];
}
