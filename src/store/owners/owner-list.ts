import { AppError } from '../../errors.ts';
import { command, hint } from '../../text/hint.ts';

/** A person whose data a deployment serves at a host name of its own, besides the main owner. */
export interface HostedOwner {
  readonly name: string;
  readonly host: string;
  /** The folder of the owner's data; on PostgreSQL that of the owner's uploads. */
  readonly folder: string;
  /** When the owner was added. A name that is given again belongs to somebody else. */
  readonly createdAt: string;
}

/** The data of a removed owner: the number of deleted records, or the folder that was left in place. */
export type Removal = { readonly records: number } | { readonly folder: string };

/** The owners of a deployment besides the main one. */
export interface OwnerList {
  list(): Promise<HostedOwner[]>;
  find(name: string): Promise<HostedOwner | undefined>;
  /** Returns the owners who have one of these hosts. */
  findByHosts(hosts: readonly string[]): Promise<HostedOwner[]>;
  /** Adds an owner. Both the name and the host must be free. `folder` names existing data. */
  add(owner: { name: string; host: string; folder?: string | undefined }, at: Date): Promise<HostedOwner>;
  /** Ends serving an owner, then removes the data. A removal that was interrupted is finished by the next call. */
  remove(name: string, at: Date): Promise<Removal>;
}

/** The owner of a deployment that serves one person, and the main one of several. */
export const MAIN_OWNER = 'owner';

export function nameTaken(): AppError {
  return new AppError('conflict', 'An owner with this name already exists.', {
    hint: 'Choose another name.',
  });
}

export function hostTaken(): AppError {
  return new AppError('conflict', 'Another owner has this host.', { hint: 'Choose another host.' });
}

export function ownerUnknown(): AppError {
  return new AppError('not_found', 'There is no owner of this name.', {
    hint: hint`See the names with ${command('owner list')}.`,
  });
}
