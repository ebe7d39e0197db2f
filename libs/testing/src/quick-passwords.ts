import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';

/** Real cryptography with a fast password hash: the real one is slow by design. */
export class QuickPasswords extends NodeCryptoSecrets {
  override hashPassword(password: string): Promise<string> {
    return Promise.resolve(this.hash(`password ${password}`));
  }

  override verifyPassword(password: string, hash: string): Promise<boolean> {
    return Promise.resolve(this.equal(hash, this.hash(`password ${password}`)));
  }
}
