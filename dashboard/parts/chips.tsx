import type { AppLine } from '../../src/views/apps.ts';
import { Chip } from './layout.tsx';

/** The kind of app and who verified it. */
export function AppChips({ app }: { app: AppLine }) {
  return (
    <>
      {app.kind !== 'app' && <Chip>{kinds[app.kind]}</Chip>} <NamedBy app={app} />
      {app.single_use && <Chip>one session</Chip>}
    </>
  );
}

const kinds = { CLI: 'terminal', IDE: 'editor', assistant: 'assistant' } as const;

function NamedBy({ app }: { app: AppLine }) {
  switch (app.named_by) {
    case 'verified_host':
      return <Chip tone="good">{`verified: ${app.verified_host}`}</Chip>;
    case 'itself':
      return <Chip tone="warn">not verified</Chip>;
    case 'owner':
      return <Chip>created by you</Chip>;
  }
}

export function StateChip({ state }: { state: AppLine['state'] }) {
  return <Chip tone={state === 'live' ? 'good' : 'bad'}>{state === 'live' ? 'active' : state}</Chip>;
}

/** The kind of source, unless the name contains it. */
export function SourceChip({ of: { name, connector_key } }: { of: Named }) {
  const kind = toWords(connector_key ?? '');
  return kind === '' || toWords(name).includes(kind) ? null : <Chip>{kind}</Chip>;
}

const toWords = (text: string) => text.toLowerCase().replaceAll(/[_-]+/g, ' ');

interface Named {
  readonly name: string;
  readonly connector_key: string | null;
}
