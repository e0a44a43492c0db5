/** What a service of the operating system starts, and where. */
export interface ServiceDefinition {
  /** The program and its arguments, with absolute paths. */
  readonly words: readonly string[];
  readonly home: string;
  /** Where the log is on systems without a log of their own. */
  readonly logFile: string;
}

/** The name of the service on every system. */
export const SERVICE_NAME = 'pdpp';

/** How a system runs a program as a service of the user. */
export interface ServicePlatform {
  /** How to name it to a person. */
  readonly title: string;
  /** The file for the output of the server, on systems without a log of their own. */
  logFile(home: string): string;
  /** The file that defines the service. */
  file(definition: Pick<ServiceDefinition, 'home'>): string;
  format(definition: ServiceDefinition): string;
  /** The commands that make the system start the service, now and at each start. */
  readonly install: (file: string) => readonly SystemCommand[];
  /** The commands that stop and remove the service. The file is deleted after the first. */
  readonly remove: (file: string) => readonly [SystemCommand, ...SystemCommand[]];
  /** Succeeds if the service runs, and prints what the system knows about it. */
  readonly status: SystemCommand;
  /** The command that prints the log. */
  readonly logs: (definition: Pick<ServiceDefinition, 'logFile'>, lines: number) => SystemCommand;
  /** What the owner has to know: when the service starts. */
  readonly note: string;
}

/** A program of the system with its arguments. */
export interface SystemCommand {
  readonly words: readonly [string, ...string[]];
  /** Whether a failure is ignored, such as stopping a service that does not run. */
  readonly mayFail?: true;
}
