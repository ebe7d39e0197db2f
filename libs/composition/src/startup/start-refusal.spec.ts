import { AnotherKey } from '@application/installation/installation-seal';
import { EngineNotOpened } from '@ports/engine.port';
import { AppendOutcomeUnknown, StoreDamaged, StoreUnavailable } from '@ports/event-store.port';
import { startRefusal } from './start-refusal.js';

const config = { engine: 'embedded', dataDir: './data' } as const;
const address = { host: '127.0.0.1', port: 3000, hostVariable: 'HOST', portVariable: 'PORT' };
const listening = (code: string) => Object.assign(new Error(code), { code, syscall: 'listen' });

describe('a start that a setting prevents is refused with one line that names the variable', () => {
  it.each<[string, Error, string]>([
    ['a directory that cannot be opened', new EngineNotOpened('DATA_DIR: in use'), 'DATA_DIR: in use'],
    ['a disk that is full', new StoreUnavailable('full'), 'DATA_DIR: the data directory ./data does not accept writes'],
    ['a store that is damaged', new StoreDamaged('malformed'), 'DATA_DIR: in the data directory ./data the store is damaged'],
    [
      'a disk that fails',
      new AppendOutcomeUnknown('installation-default'),
      'DATA_DIR: the data directory ./data does not accept writes',
    ],
    ['another key', new AnotherKey(), 'SECRETS_KEY is not the key'],
    ['a port in use', listening('EADDRINUSE'), 'PORT 3000 of 127.0.0.1 is in use'],
    ['an address of another machine', listening('EADDRNOTAVAIL'), 'HOST must be'],
  ])('%s', (_, failure, beginning) => {
    const { message } = startRefusal(failure, config, address) as Error;
    expect(message).toMatch(new RegExp(`^${beginning}.*$`));
  });

  it('returns any other failure as it is', () => {
    const failure = new Error('unexpected');
    expect(startRefusal(failure, config, address)).toBe(failure);
  });
});
