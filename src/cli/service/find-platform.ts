import { AppError } from '../../errors.ts';
import { launchd } from './launchd.ts';
import type { ServicePlatform } from './service-definition.ts';
import { systemd } from './systemd.ts';
import { taskScheduler } from './task-scheduler.ts';

const platforms: Partial<Record<NodeJS.Platform, ServicePlatform>> = {
  linux: systemd,
  darwin: launchd,
  win32: taskScheduler,
};

/** Returns the service manager of this system. */
export function findPlatform(name: NodeJS.Platform = process.platform): ServicePlatform {
  const found = platforms[name];
  if (found !== undefined) return found;
  throw new AppError('conflict', 'pdpp cannot install a service on this system.', {
    hint: 'Set up your system to run this at startup: pdpp serve',
  });
}
