import { AnotherKey } from '@application/installation/installation-seal';
import { ConfigError, type Config } from '@platform/config/config';
import { EngineNotOpened } from '@ports/engine.port';
import { AppendOutcomeUnknown, StoreDamaged, StoreUnavailable } from '@ports/event-store.port';

const WRONG_KEY = 'is not the key that the data were encrypted with: restore it, or the file secrets.key of DATA_DIR';

const NOT_APPENDED = 'EVENTSTORE_URL: the server did not take what the start had to write: see its log';

const NOT_WRITTEN = 'does not accept writes: is its disk full?';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly hostVariable: string;
  readonly portVariable: string;
}

/** By the system's error code. */
const REFUSED_ADDRESSES: Readonly<Record<string, (address: ListenAddress) => string>> = {
  EADDRINUSE: ({ host, port, portVariable }) => `${portVariable} ${port} of ${host} is in use by another process`,
  EACCES: ({ port, portVariable }) => `${portVariable} ${port} may not be used by this user`,
  EADDRNOTAVAIL: unknownHost,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  EINVAL: unknownHost,
};

function unknownHost({ host, hostVariable }: ListenAddress): string {
  return `${hostVariable} must be a name or an address of this machine, but is ${JSON.stringify(host)}`;
}

/** Turns a failure caused by a setting into a `ConfigError`, one line with the variable; returns any other unchanged. */
export function startRefusal(failure: unknown, config: Pick<Config, 'engine' | 'dataDir'>, address: ListenAddress): unknown {
  if (failure instanceof EngineNotOpened) return new ConfigError(failure.message);
  if (failure instanceof AnotherKey) return new ConfigError(`SECRETS_KEY ${WRONG_KEY}`);
  if (failure instanceof StoreDamaged)
    return new ConfigError(`DATA_DIR: in the data directory ${config.dataDir} ${failure.message}`);
  if (failure instanceof AppendOutcomeUnknown || failure instanceof StoreUnavailable) {
    return new ConfigError(
      config.engine === 'cluster' ? NOT_APPENDED : `DATA_DIR: the data directory ${config.dataDir} ${NOT_WRITTEN}`,
    );
  }
  const { code = '', syscall = '' } = failure as { code?: string; syscall?: string };
  const line = /^(listen|bind|getaddrinfo)/.test(syscall) ? REFUSED_ADDRESSES[code]?.(address) : undefined;
  return line === undefined ? failure : new ConfigError(line);
}
