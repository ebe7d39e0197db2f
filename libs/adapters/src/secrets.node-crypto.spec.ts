import { secretsContract } from '@ports/contracts/secrets.contract';
import { NodeSecrets } from './secrets.node-crypto.js';

const installation = (byte: number) => () => new NodeSecrets(new Uint8Array(32).fill(byte));

secretsContract('NodeSecrets', installation(1), installation(2));

describe('the key of an installation', () => {
  it.each([0, 16, 31, 33])('is refused with %i bytes', (count) =>
    expect(() => new NodeSecrets(new Uint8Array(count))).toThrow('32'),
  );

  it('may be wiped by its owner', () => {
    const key = new Uint8Array(32).fill(7);
    const secrets = new NodeSecrets(key);
    const sealed = secrets.seal('plain', 'c');
    key.fill(0);
    expect(installation(7)().open(sealed, 'c')).toBe('plain');
    expect(secrets.keyedHash('p', 'x')).toBe(installation(7)().keyedHash('p', 'x'));
  });
});
