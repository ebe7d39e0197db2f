import { NodeAddressGuard } from './address-guard.node.js';

/** Objects to no address: for one that the operator has set. */
export class OpenAddressGuard extends NodeAddressGuard {
  constructor() {
    super({ allowHttp: true, allowCidrs: ['0.0.0.0/0', '::/0'] });
  }

  override admits(): boolean {
    return true;
  }

  override objection(url: string): string | null {
    return URL.canParse(url) ? null : 'must be a URL';
  }
}
