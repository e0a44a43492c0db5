import { Chip } from './layout.tsx';

/** Which kind of source a connection is of, where its name does not say so already. */
export function SourceChip({ of: { name, connector_key } }: { of: Named }) {
  const kind = connector_key?.replaceAll(/[_-]+/g, ' ') ?? '';
  return kind === '' || name.toLowerCase().includes(kind) ? null : <Chip>{kind}</Chip>;
}

interface Named {
  readonly name: string;
  readonly connector_key: string | null;
}
