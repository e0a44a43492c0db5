import type { Network } from './network.ts';

/** Creates the network of an account. Loaded when it is needed. */
export async function createAccountNetwork(allowsPrivate: boolean): Promise<Network> {
  const { createNetwork } = await import('./network/create-network.ts');
  return createNetwork({ allowPrivate: allowsPrivate });
}
