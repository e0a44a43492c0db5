/** A file that a request enters for the first time, and the files of ours that called it, nearest first. */
export interface Entry {
  readonly file: string;
  readonly callers: readonly string[];
}

export interface CallPath {
  readonly files: number;
  readonly modules: number;
  /** The number of calls into a file of another module that was not entered before. */
  readonly crossings: number;
  /** One line per visit of a module, with its new files, indented below the visit that called it. */
  readonly lines: readonly string[];
}

interface Visit {
  readonly module: string;
  readonly files: string[];
  readonly children: Visit[];
}

/** Modules that call nothing of ours above them. They are listed separately as `shared`. */
const LEAF_MODULES = new Set(['store', 'text', 'time', 'words', 'limits', 'secrets']);

/** Counts the module crossings of a call path. Returns do not count, and files directly in `src` belong to no module. */
export function countModules(entries: readonly Entry[]): CallPath {
  const visits = new Map<string, Visit>();
  const shared: string[] = [];
  let first: Visit | undefined;
  for (const { file, callers } of entries) {
    const [module, name] = splitPath(file);
    if (module === undefined || name === undefined) continue;
    if (LEAF_MODULES.has(module)) {
      shared.push(`${module}/${name}`);
      continue;
    }
    const caller = callers.map((one) => visits.get(one)).find((visit) => visit !== undefined) ?? first;
    const visit = caller?.module === module ? caller : { module, files: [], children: [] };
    if (visit !== caller) caller?.children.push(visit);
    visit.files.push(name);
    visits.set(file, visit);
    first ??= visit;
  }
  const all = [...new Set(visits.values())];
  const format = ({ module, files, children }: Visit, depth: number): string[] => [
    `${'  '.repeat(depth)}${module}  ${files.join(', ')}`,
    ...children.flatMap((visit) => format(visit, depth + 1)),
  ];
  return {
    files: visits.size + shared.length,
    modules: new Set([...all.map(({ module }) => module), ...shared.map((file) => file.split('/')[0])]).size,
    crossings: all.length - 1,
    lines: [
      ...(first === undefined ? [] : format(first, 0)),
      ...(shared.length > 0 ? [`shared  ${shared.join(', ')}`] : []),
    ],
  };
}

function splitPath(path: string): [module?: string, file?: string] {
  const [, module, file] = /^(?:src\/(?=.*\/))?([^/]+)\/(.+)\.tsx?$/.exec(path) ?? [];
  return module === undefined || file === undefined || module === 'src' ? [] : [module, file];
}
